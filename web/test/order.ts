// In which order a page shows a text.

import type { Locator } from "playwright-core";

// outOfOrder are the places of an element where something that comes later stands further left on the same line of the
// screen. Words that stand in a box of their own count as one thing: they are read from right to left.
export function outOfOrder(element: Locator): Promise<string[]> {
  return element.evaluate((root) => {
    const found: string[] = [];
    let before: { text: string; at: DOMRect } | undefined;
    const see = (range: Range) => {
      const at = range.getClientRects()[0];
      if (!at || at.width === 0) return;
      const same = before && at.top < before.at.bottom && at.bottom > before.at.top;
      if (same && at.left + at.width / 2 <= before!.at.left + before!.at.width / 2) found.push(`${before!.text} | ${range.toString()}`);
      before = { text: range.toString(), at };
    };
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const node = walk.currentNode as Text;
      const range = document.createRange();
      if (node.parentElement!.closest("bdi[dir=rtl]")) {
        range.selectNodeContents(node);
        see(range);
        continue;
      }
      for (let i = 0, next; i < node.data.length; i = next) {
        next = i + (node.data.codePointAt(i)! > 0xffff ? 2 : 1);
        range.setStart(node, i);
        range.setEnd(node, next);
        see(range);
      }
    }
    return found;
  });
}
