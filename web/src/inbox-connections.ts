// The person's connected accounts.

import { html, nothing, type TemplateResult } from "lit";
import { Things } from "./inbox-things.js";
import { serverOf, when } from "./inbox-words.js";
import { list, object, text, type Json } from "./json.js";
import { line } from "./legible.js";

const states: { readonly [status: string]: string } = {
  active: "Connected",
  expired: "Expired: connect it again",
  rejected: "Not accepted any more: connect it again",
  revoked: "Revoked",
  insufficient_scope: "It may do less than is needed: connect it again",
};

export class InboxConnections extends Things {
  protected readonly path = "/api/connections";
  protected readonly words = {
    title: "Connected accounts",
    none: "No account of yours is connected. You are asked when one is needed.",
    take: "Disconnect",
    sure: "Really disconnect",
  };

  protected key(thing: Json): string {
    return text(thing["server"]) ?? "";
  }

  protected called(thing: Json): string {
    return serverOf(thing);
  }

  protected removal(thing: Json): string {
    return `/api/connections/${encodeURIComponent(this.key(thing))}?${new URLSearchParams({ scope: "user", owner: this.user })}`;
  }

  protected about(thing: Json): TemplateResult {
    const scopes = list(thing["scopes"]).flatMap((s) => text(s) ?? []);
    const provider = text(thing["provider"]) ?? text(thing["issuer"]);
    const status = text(thing["status"]) ?? "";
    const [since, changed] = [when(text(thing["created_at"])), when(text(thing["updated_at"]))];
    const renewed = thing["renews"] === true && status === "active" && changed !== "" && changed !== since; // any other change renews nothing
    return html`<strong>${this.called(thing)}</strong>
      <div class=${status === "active" ? "good" : "bad"}>${states[status] ?? line(status)}</div>
      <div class="meta">Used ${users(thing)}${provider ? `, through ${line(provider)}` : ""}.</div>
      ${scopes.length > 0 ? html`<div class="meta">It may: ${scopes.map(line).join(", ")}</div>` : nothing}
      <div class="meta">${thing["used_at"] ? `Last used ${when(text(thing["used_at"]))}` : "Not used yet, as far as is known"}</div>
      <div class="meta">Connected ${since}${renewed ? ` · renewed ${changed}` : nothing}</div>`;
  }
}

// users says what makes calls with an account.
function users(thing: Json): string {
  const by = object(thing["used_by"]);
  const agents = list(by?.["agents"]).flatMap((name) => text(name) ?? []);
  const all = [...agents.map((name) => `by ${line(name)}`), ...(by?.["gateway"] === true ? ["by programs of yours at the gateway"] : [])];
  if (all.length > 0) return all.join(", ");
  return by ? "by nobody at present" : "for calls on your behalf";
}
