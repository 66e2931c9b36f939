// The few pictures, all decoration: what they say stands beside them in words.

import { svg } from "lit";
import { cardIcons, icon } from "./card-icons.js";

export const icons = {
  ...cardIcons,
  connect: icon(svg`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),
  tool: icon(svg`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),
  send: icon(svg`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),
  stop: icon(svg`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),
  plus: icon(svg`<path d="M12 5v14M5 12h14"/>`),
  down: icon(svg`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),
  copy: icon(svg`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),
  again: icon(svg`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),
  chevron: icon(svg`<path d="m9 6 6 6-6 6"/>`),
};
