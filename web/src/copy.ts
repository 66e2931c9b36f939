// Copying a text for the person who presses a button.

// copy copies a text, and reports whether it could.
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text); // pages without https have no clipboard
  }
}

function copySelected(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("aria-hidden", "true");
  field.tabIndex = -1;
  Object.assign(field.style, { position: "fixed", insetBlockStart: "0", opacity: "0" });
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}

const shownFor = 2_000;

// confirm shows on a button for a moment that it has done its work.
export function confirm(button: HTMLElement): void {
  button.toggleAttribute("data-done", true);
  setTimeout(() => button.removeAttribute("data-done"), shownFor);
}
