// The conversation of this tab, so that a reload finds it again.

const key = (base: string, agent: string | undefined) => `parley:conversation:${base}:${agent ?? ""}`;

// recall returns the tab's conversation, or a fresh one.
export function recall(base: string, agent: string | undefined, make: () => string): { id: string; fresh: boolean } {
  try {
    const known = sessionStorage.getItem(key(base, agent));
    if (known) return { id: known, fresh: false };
    const id = make();
    sessionStorage.setItem(key(base, agent), id);
    return { id, fresh: true };
  } catch {
    return { id: make(), fresh: true }; // where nothing may be stored, a reload begins anew
  }
}

export function forget(base: string, agent: string | undefined): void {
  try {
    sessionStorage.removeItem(key(base, agent));
  } catch {
    // Nothing was stored.
  }
}
