// What the person has allowed and refused, and what still holds.

import { html, nothing, type TemplateResult } from "lit";
import { ask } from "./inbox-api.js";
import { chatAt, readSpoken, type Spoken } from "./inbox-conversations.js";
import { Things } from "./inbox-things.js";
import { serverOf, when } from "./inbox-words.js";
import { list, object, pretty, text, type Json } from "./json.js";
import { line } from "./legible.js";
import { inOrder } from "./legible-view.js";

export class InboxPermissions extends Things {
  #talks = new Map<string, Spoken>(); // by id

  protected readonly path = "/api/permissions";
  protected readonly words = {
    title: "What you have allowed and refused",
    none: "Nothing is allowed or refused for good. You are asked each time.",
    take: "Take back",
    sure: "Really take back",
  };

  protected key(thing: Json): string {
    return text(thing["id"]) ?? "";
  }

  protected called(thing: Json): string {
    const tool = text(thing["tool"]);
    const server = serverOf(thing);
    return tool ? [line(tool), server && `of ${server}`].join(" ").trim() : `every tool of ${server}`;
  }

  protected removal(thing: Json): string {
    return `/api/permissions/${encodeURIComponent(this.key(thing))}?${new URLSearchParams({ user: this.user })}`;
  }

  protected about(thing: Json): TemplateResult {
    const allowed = thing["effect"] === "allow";
    const until = text(thing["until"]);
    const question = text(thing["question"]);
    const limits = [
      thing["once"] === true ? "for one call" : "",
      thing["digest"] ? "with these arguments only" : "with any arguments",
      until ? `until ${when(until)}` : "until you take it back",
    ].filter((s) => s !== "");
    return html`<strong><span class=${allowed ? "good" : "bad"}>${allowed ? "Allowed" : "Refused"}</span>: ${this.called(thing)}</strong>
      <div>${this.#where(text(thing["session"]))}${limits.join(", ")}</div>
      ${this.#arguments(thing)}
      <div class="meta">Since ${when(text(thing["created_at"]))} · used ${String(thing["uses"] ?? 0)} times${question ? html` · <a href="/answer/${encodeURIComponent(question)}">The question</a>` : nothing}</div>`;
  }

  // arguments are those that it is for. What was said before they were kept has none.
  #arguments(thing: Json): TemplateResult | typeof nothing {
    const args = text(thing["arguments"]);
    if (args) return html`<pre tabindex="0" role="region" aria-label="Arguments of ${this.called(thing)}" dir="ltr">${inOrder(pretty(args))}</pre>`;
    return thing["digest"] ? html`<div class="meta">Its arguments were not kept with it.</div>` : nothing;
  }

  // where says in which conversation it holds, if in one alone.
  #where(session: string | undefined): TemplateResult | typeof nothing {
    if (!session) return nothing;
    const talk = this.#talks.get(session);
    if (!talk) return html`in the session ${line(session)}, `;
    return html`in the conversation <a href=${chatAt(talk.id, talk.agent)} dir="auto">${line(talk.title) || "without words"}</a>, `;
  }

  protected override async prepare(things: readonly Json[]): Promise<void> {
    if (!things.some((one) => one["session"])) return;
    const page = object(await ask("/run/api/chat?limit=100").catch(() => undefined)); // only for their names
    this.#talks = new Map(list(page?.["conversations"]).flatMap(readSpoken).map((one) => [one.id, one]));
  }
}
