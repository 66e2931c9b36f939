// What a tool's result has besides text, and how far a call is: pictures, links, a line.

import { html, nothing, type TemplateResult } from "lit";
import { webLink } from "./address.js";
import { line } from "./legible.js";
import type { Say } from "./strings.js";
import type { Piece, ToolPart } from "./wire.js";

// Pictures finds a picture: its bytes as an address that needs no request, null if there are none, undefined while they come.
export type Pictures = (id: string) => string | null | undefined;

export function contentTemplate(part: ToolPart, say: Say, pictures: Pictures): TemplateResult | typeof nothing {
  if (!part.content?.length) return nothing;
  return html`<ul class="content">
    ${part.content.map((piece) => html`<li>${piece.type === "image" ? picture(piece, say, pictures) : link(piece)}</li>`)}
  </ul>`;
}

function picture(piece: Piece, say: Say, pictures: Pictures): TemplateResult {
  const name = called(piece) || say("image");
  const src = piece.id ? pictures(piece.id) : null;
  if (src) return html`<img src=${src} alt=${name} />`;
  return html`<span class="caption">${src === null ? say("imageGone", { name }) : name}</span>`;
}

// link is a link where the address is one of the web. Whatever else a server calls its things by is text.
function link(piece: Piece): TemplateResult {
  const href = piece.url === undefined ? undefined : webLink(piece.url);
  const name = called(piece) || line(piece.uri ?? "");
  const about = piece.description ? html` <span class="caption" dir="auto">${line(piece.description)}</span>` : nothing;
  if (!href) return html`<bdi>${name}</bdi>${about}`;
  return html`<a href=${href} target="_blank" rel="noopener noreferrer"><bdi>${name}</bdi></a>
    <span class="caption">${new URL(href).host}</span>${about}`;
}

const called = (piece: Piece) => line(piece.title?.trim() || piece.name?.trim() || "");

// progressTemplate is a line with the call, for as long as that is under way.
export function progressTemplate(part: ToolPart, say: Say): TemplateResult | typeof nothing {
  const at = part.progress;
  if (!at || (part.state !== "running" && part.state !== "writing")) return nothing;
  const number = (n: number) => String(Math.round(n * 100) / 100);
  const count = at.total ? say("progressOf", { done: number(at.done), total: number(at.total) }) : "";
  const said = [count, line(at.message ?? "")].filter(Boolean).join(", ");
  if (!said) return nothing;
  const share = at.total ? Math.min(1, Math.max(0, at.done / at.total)) : undefined;
  return html`<div class="progress" aria-live="off">
    <span>${at.service ? html`<bdi>${line(at.service)}</bdi>: ` : nothing}<bdi>${said}</bdi></span>
    ${share === undefined ? nothing : html`<progress max="1" .value=${share} aria-label=${count}></progress>`}
  </div>`;
}
