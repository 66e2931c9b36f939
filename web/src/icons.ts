// The few pictures, all decoration: what they say stands beside them in words.

import { svg, type SVGTemplateResult } from "lit";

const icon = (shape: SVGTemplateResult) => svg`<svg viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`;

export const icons = {
  connect: icon(svg`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),
  approval: icon(svg`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),
  form: icon(svg`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),
  clock: icon(svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),
  done: icon(svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  no: icon(svg`<path d="M7 7l10 10M17 7 7 17"/>`),
  tool: icon(svg`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),
  send: icon(svg`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),
  stop: icon(svg`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),
  plus: icon(svg`<path d="M12 5v14M5 12h14"/>`),
  down: icon(svg`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),
  warning: icon(svg`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),
  copy: icon(svg`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),
  again: icon(svg`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),
  chevron: icon(svg`<path d="m9 6 6 6-6 6"/>`),
};
