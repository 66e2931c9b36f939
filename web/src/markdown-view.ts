// Markdown as it is shown: text nodes in a few elements.

import { html, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { Growing } from "./growing.js";
import type { Align, Block, Inline, Item } from "./markdown.js";

const growing = new WeakMap<object, Growing>();

// markdown shows the text of a part of a message. The part stays the same object while its text grows.
export function markdown(part: { readonly text: string; readonly open: boolean }): TemplateResult {
  const text = growing.get(part) ?? new Growing();
  growing.set(part, text);
  return html`${text.take(part.text, !part.open).map((batch) => guard([batch], () => batch.map(block)))}`;
}

function block(b: Block): TemplateResult {
  switch (b.kind) {
    case "paragraph":
      return html`<p>${b.content.map(inline)}</p>`;
    case "heading":
      return html`<p class="heading level-${b.level}">${b.content.map(inline)}</p>`;
    case "quote":
      return html`<blockquote>${b.blocks.map(block)}</blockquote>`;
    case "code":
      return html`<pre tabindex="0"><code>${b.text}</code></pre>`;
    case "rule":
      return html`<hr />`;
    case "list":
      return b.start === undefined ? html`<ul>${b.items.map(item)}</ul>` : html`<ol start=${b.start}>${b.items.map(item)}</ol>`;
    case "table":
      return table(b.align, b.rows);
  }
}

function item({ checked, content, blocks }: Item): TemplateResult {
  const mark = checked === undefined ? "" : checked ? "☑ " : "☐ ";
  return html`<li class=${checked === undefined ? "" : "task"}>${mark}${content.map(inline)}${blocks.map(block)}</li>`;
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
