// What every card is made of, wherever it is drawn: its frame, how it ended, what went wrong, and the call that is asked about.

import { html, nothing, type TemplateResult } from "lit";
import { cardIcons as icons } from "./card-icons.js";
import type { CardSay } from "./card-strings.js";
import { pretty } from "./json.js";
import { line } from "./legible.js";
import { inOrder } from "./legible-view.js";

export type Part = TemplateResult | typeof nothing;

export interface Face {
  title: string;
  direction: "ltr" | "rtl";
}

export function openFrame({ title, direction }: Face, badge: TemplateResult, timer: Part, body: TemplateResult): TemplateResult {
  return html`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${badge}</span>
      <div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${direction}>${title}</div>
      ${timer}
    </header>
    <div class="body">${body}</div>
  </div>`;
}

export interface Ending {
  tone: "good" | "bad" | "neutral";
  sentence: string;
}

export function settledFrame({ title, direction }: Face, { tone, sentence }: Ending): TemplateResult {
  const icon = { good: icons.done, bad: icons.no, neutral: icons.clock }[tone];
  return html`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${tone}">${icon}</span>
      <div class="title">
        <span class="isolate" id="title" dir=${direction}>${title}</span>
        <span class="sentence" id="outcome" tabindex="-1">${sentence}</span>
      </div>
    </header>
  </div>`;
}

// problem stands before the buttons that may set it right.
export const problem = (text: unknown): Part => (text === undefined ? nothing : html`<p class="problem">${icons.warning}<span>${text}</span></p>`);

// call shows what exactly would be done: all of it, however long. What is named besides the tool stands before it; arguments
// that stand elsewhere are undefined.
export function call(tool: string | undefined, args: string | undefined, say: CardSay, named: readonly [label: string, name: string][] = []): TemplateResult {
  const shown = pretty(args ?? "");
  const lines = shown.split("\n").length;
  const names = tool === undefined ? named : [...named, [say("toolLabel"), tool] as const];
  return html`<dl>
    ${names.map(
      ([label, name]) => html`<div>
        <dt>${label}</dt>
        <dd><code><bdi>${line(name)}</bdi></code></dd>
      </div>`,
    )}
    ${args === undefined
      ? nothing
      : html`<div>
          <dt id="arguments">${lines > 8 ? say("argumentLines", { n: lines }) : say("arguments")}</dt>
          <dd>
            ${shown === ""
              ? say("noArguments")
              : html`<pre class="arguments" role="region" aria-labelledby="arguments">${inOrder(shown)}</pre>`}
          </dd>
        </div>`}
  </dl>`;
}
