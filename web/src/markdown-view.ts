// Markdown as it is shown: text nodes in a few elements.

import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { Growing } from "./growing.js";
import { icons } from "./icons.js";
import { line } from "./legible.js";
import type { Align, Block, Inline, Item } from "./markdown.js";
import type { Say } from "./strings.js";

const growing = new WeakMap<object, Growing>();

// markdown shows the text of a part of a message. The part stays the same object while its text grows.
export function markdown(part: { readonly text: string; readonly open: boolean }, say: Say): TemplateResult {
  const text = growing.get(part) ?? new Growing();
  growing.set(part, text);
  return html`${text.take(part.text, !part.open).map((batch) => guard([batch], () => batch.map((b) => block(b, say))))}`;
}

function block(b: Block, say: Say): TemplateResult {
  switch (b.kind) {
    case "paragraph":
      return html`<p>${b.content.map(inline)}</p>`;
    case "heading":
      return html`<p class="heading level-${b.level}">${b.content.map(inline)}</p>`;
    case "quote":
      return html`<blockquote>${b.blocks.map((inner) => block(inner, say))}</blockquote>`;
    case "code":
      return code(b.text, b.language, say);
    case "rule":
      return html`<hr />`;
    case "list":
      return b.start === undefined ? html`<ul>${b.items.map((i) => item(i, say))}</ul>` : html`<ol start=${b.start}>${b.items.map((i) => item(i, say))}</ol>`;
    case "table":
      return table(b.align, b.rows);
  }
}

// code has its language and a button above it. The chat copies what stands beside a button of this class.
function code(text: string, language: string, say: Say): TemplateResult {
  return html`<div class="code">
    <div class="bar">
      <span class="language">${line(language.slice(0, 24))}</span>
      <button type="button" class="quiet copy">
        ${icons.copy}<span class="before">${say("copyCode")}</span><span class="after">${say("copied")}</span></button>
    </div>
    <pre tabindex="0" role="region" aria-label=${line(language.slice(0, 24)) || "code"}><code>${text}</code></pre>
  </div>`;
}

function item({ checked, content, blocks }: Item, say: Say): TemplateResult {
  const box = checked === undefined ? nothing : html`<span class="box" aria-hidden="true">${checked ? "☑" : "☐"}</span><span class="hidden">${say(checked ? "taskDone" : "taskOpen")}</span>`;
  return html`<li class=${checked === undefined ? "" : "task"}>${box}${content.map(inline)}${blocks.map((b) => block(b, say))}</li>`;
}

function table(align: readonly Align[], [head = [], ...rows]: readonly Inline[][][]): TemplateResult {
  const side = (i: number) => align[i] ?? "";
  return html`<div class="table" tabindex="0"><table>
    <thead><tr>${head.map((cell, i) => html`<th scope="col" class=${side(i)}>${cell.map(inline)}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => html`<td class=${side(i)}>${cell.map(inline)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

function inline(node: Inline): TemplateResult | string {
  switch (node.kind) {
    case "text":
      return node.text;
    case "code":
      return html`<code>${node.text}</code>`;
    case "strong":
      return html`<strong>${node.content.map(inline)}</strong>`;
    case "emphasis":
      return html`<em>${node.content.map(inline)}</em>`;
    case "deleted":
      return html`<del>${node.content.map(inline)}</del>`;
    case "link":
      return html`<a href=${node.href} title=${node.href} target="_blank" rel="noopener noreferrer nofollow">${node.content.map(inline)}</a>`;
    case "break":
      return html`<br />`;
  }
}
