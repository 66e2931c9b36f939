// A text in the order of its characters: what is written from right to left stands in a box of its own, and everything around
// it goes from left to right.

import { html, type TemplateResult } from "lit";
import { runs } from "./legible.js";

export function inOrder(text: string): (TemplateResult | string)[] {
  return runs(text).map((run) => {
    if (run.kind === undefined) return run.text;
    return html`<bdi dir=${run.kind === "phrase" ? "rtl" : "ltr"}>${run.text}</bdi>`;
  });
}
