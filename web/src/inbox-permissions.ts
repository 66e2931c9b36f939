// What the person has allowed and refused, and what still holds.

import { html, nothing, type TemplateResult } from "lit";
import { Things } from "./inbox-things.js";
import { when } from "./inbox-words.js";
import { pretty, text, type Json } from "./json.js";
import { line } from "./legible.js";

export class InboxPermissions extends Things {
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
    const server = line(text(thing["server"]) ?? "");
    return tool ? [line(tool), server && `of ${server}`].join(" ").trim() : `every tool of ${server}`;
  }

  protected removal(thing: Json): string {
    return `/api/permissions/${encodeURIComponent(this.key(thing))}?${new URLSearchParams({ user: this.user })}`;
  }

  protected about(thing: Json): TemplateResult {
    const allowed = thing["effect"] === "allow";
    const until = text(thing["until"]);
    const args = text(thing["arguments"]);
    const limits = [
      thing["once"] === true ? "for one call" : "",
      thing["session"] ? "in one conversation" : "",
      thing["digest"] ? "with these arguments only" : "with any arguments",
      until ? `until ${when(until)}` : "until you take it back",
    ].filter((s) => s !== "");
    return html`<strong><span class=${allowed ? "good" : "bad"}>${allowed ? "Allowed" : "Refused"}</span>: ${this.called(thing)}</strong>
      <div>${limits.join(", ")}</div>
      ${args ? html`<pre tabindex="0" role="region" aria-label="Arguments of ${this.called(thing)}">${pretty(args)}</pre>` : nothing}
      <div class="meta">Since ${when(text(thing["created_at"]))} · used ${String(thing["uses"] ?? 0)} times</div>`;
  }
}
