// The programs that act as the person: parley login.

import { html, type TemplateResult } from "lit";
import { Things } from "./inbox-things.js";
import { when } from "./inbox-words.js";
import { text, type Json } from "./json.js";
import { line } from "./legible.js";

export class InboxLogins extends Things {
  protected readonly path = "/api/logins";
  protected readonly words = {
    title: "Programs that act as you",
    none: "No program is logged in as you.",
    take: "End",
    sure: "Really end",
  };

  protected key(thing: Json): string {
    return text(thing["id"]) ?? "";
  }

  protected called(thing: Json): string {
    return `“${line(text(thing["program"]) ?? "")}”`; // its own words
  }

  protected removal(thing: Json): string {
    return `/api/logins/${encodeURIComponent(this.key(thing))}?${new URLSearchParams({ user: this.user })}`;
  }

  protected about(thing: Json): TemplateResult {
    const address = text(thing["address"]);
    return html`<strong>${this.called(thing)}</strong>
      <div>${thing["scope"] === "mcp" ? "MCP only" : "All that you may do with a token, answers too"}</div>
      <div class="meta">Logged in ${when(text(thing["created_at"]))}${address ? ` from ${line(address)}` : ""} · until ${when(text(thing["expires_at"]))}</div>`;
  }
}
