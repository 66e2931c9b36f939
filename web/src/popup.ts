// Opening a hosted page beside this one.

// openWindow opens a page of the server in a window of its own and reports whether the browser let it. The page tells its
// opener when it is done, so it must know its opener; pages of others never do.
export function openWindow(href: string): boolean {
  const width = Math.min(560, screen.availWidth);
  const height = Math.min(760, screen.availHeight);
  const left = Math.round(window.screenX + (window.outerWidth - width) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - height) / 2);
  const opened = window.open(href, "parley-connect", `popup,width=${width},height=${height},left=${left},top=${top}`);
  if (!opened || opened.closed) return false;
  opened.focus();
  return true;
}
