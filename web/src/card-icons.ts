// The pictures of a card.

import { svg, type SVGTemplateResult } from "lit";

export const icon = (shape: SVGTemplateResult) => svg`<svg viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`;

export const cardIcons = {
  approval: icon(svg`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),
  form: icon(svg`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),
  clock: icon(svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),
  done: icon(svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  no: icon(svg`<path d="M7 7l10 10M17 7 7 17"/>`),
  warning: icon(svg`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),
};
