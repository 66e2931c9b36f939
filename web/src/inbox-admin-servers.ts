// MCP servers, agents elsewhere, and OAuth providers: how they are, and what is missing before people can connect. Secrets are never here: only
// whether there is one.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { ask } from "./inbox-api.js";
import { itemsOf, objects } from "./inbox-admin-read.js";
import { adminStyles } from "./inbox-admin-styles.js";
import { inboxStyles } from "./inbox-styles.js";
import { when } from "./inbox-words.js";
import { list, object, text, type Json } from "./json.js";
import { line } from "./legible.js";
import { controls, theme } from "./styles.js";

const conditions: { readonly [state: string]: readonly [tone: string, words: string] } = {
  up: ["good", "Up"],
  down: ["bad", "Down"],
  needs_connection: ["bad", "Nobody has provided the credential that it takes"],
  unknown: ["muted", "Not looked at yet"],
};

export class AdminServers extends LitElement {
  static override styles = [theme, controls, inboxStyles, adminStyles];

  #servers: readonly Json[] | undefined;
  #providers: readonly Json[] = [];
  #checks = new Map<string, Json | string>(); // by server: its checklist, or why there is none
  #problem: string | undefined;

  protected override firstUpdated(): void {
    void this.#read();
  }

  async #read(): Promise<void> {
    this.#problem = undefined;
    try {
      const [servers, providers] = await Promise.all([ask("/api/servers"), ask("/api/providers")]);
      this.#servers = itemsOf(servers);
      this.#providers = itemsOf(providers);
    } catch (error) {
      this.#problem = (error as Error).message;
    }
    this.requestUpdate();
  }

  // check reads what a server lacks, when somebody wants to see it: its metadata is looked up then.
  async #check(name: string, again = false): Promise<void> {
    if (this.#checks.has(name) && !again) return;
    this.#checks.set(name, {});
    this.requestUpdate();
    try {
      this.#checks.set(name, object(await ask(`/api/servers/${encodeURIComponent(name)}/checklist?metadata=true`)) ?? {});
    } catch (error) {
      this.#checks.set(name, (error as Error).message);
    }
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`<div class="bar"><h2>Servers</h2><button type="button" @click=${() => void this.#read()}>Look again</button></div>
      ${this.#problem ? html`<p class="problem" role="alert">${this.#problem}</p>` : nothing}
      ${this.#servers?.length === 0 ? html`<p class="empty">There is no server. Add one in the configuration, or with POST /api/servers.</p>` : nothing}
      <ul class="things">${this.#servers?.map((one) => this.#server(one))}</ul>
      ${this.#servers ? html`<h3>Providers</h3>` : nothing}
      ${this.#servers && this.#providers.length === 0 ? html`<p class="muted">There is no OAuth provider. Servers with auth.type mcp name theirs themselves.</p>` : nothing}
      <ul class="things">${this.#providers.map(provider)}</ul>`;
  }

  #server(one: Json): TemplateResult {
    const name = text(one["name"]) ?? "";
    const status = object(one["status"]) ?? {};
    const auth = object(one["auth"]) ?? {};
    const [tone, words] = conditions[one["enabled"] === false ? "" : (text(status["state"]) ?? "")] ?? ["muted", one["enabled"] === false ? "Disabled" : ""];
    const agents = list(one["agents"]).flatMap((a) => text(a) ?? []);
    const error = text(status["error"]);
    const agent = one["transport"] === "a2a";
    return html`<li class="thing">
      <div class="about">
        <strong>${line(text(one["title"]) ?? name)}</strong>
        <div class="meta">${agent ? "An agent elsewhere, by A2A: " : ""}${line(text(one["url"]) ?? "a program of the configuration")}</div>
        <div class="meta">
          ${agent ? "Tasks" : "Calls"} need an approval: ${line(text(one["approve"]) ?? "")} · credential: ${credential(auth)}${agents.length > 0
            ? ` · ${agent ? "agents that delegate to it" : "agents"}: ${agents.map(line).join(", ")}`
            : ""}
          · from the ${one["source"] === "api" ? "API" : "configuration"}
        </div>
      </div>
      <div class="side">
        <span class=${tone}>${words}</span>
        <div class="meta">${typeof status["tools"] === "number" ? `${status["tools"]} tools` : ""}${status["since"] ? ` since ${when(text(status["since"]))}` : ""}</div>
      </div>
      ${error ? html`<p class="wide bad" dir="auto">${line(error)}</p>` : nothing} ${leftOut(status)}
      ${connects(auth)
        ? this.#setup(name)
        : html`<p class="wide meta">${text(auth["type"]) === "none" ? "It takes no credential, so nobody has to connect." : "It takes a key or a token, so there is nothing to register."}</p>`}
    </li>`;
  }

  #setup(name: string): TemplateResult {
    return html`<details class="wide" @toggle=${(e: Event) => (e.target as HTMLDetailsElement).open && void this.#check(name)}>
        <summary>Setup checklist<span class="hidden"> of ${line(name)}</span></summary>
        ${this.#checklist(name)}
      </details>`;
  }

  #checklist(name: string): TemplateResult {
    const found = this.#checks.get(name);
    if (typeof found === "string") return html`<p class="problem" role="alert">${found}</p>`;
    const checks = itemsOf(found).filter((one) => one["item"] !== "connection"); // that is each person's own
    if (checks.length === 0) return html`<p class="muted" role="status">Looking…</p>`;
    const redirect = text(found?.["redirect_uri"]);
    return html`<p class=${found?.["ready"] === true ? "good" : "bad"} role="status">
        ${found?.["ready"] === true ? "Everything is there. The chat asks people to connect." : "Something is missing before people can connect in the chat."}
      </p>
      ${redirect ? html`<p>Register this redirect URI, to the letter: <code>${redirect}</code></p>` : nothing}
      <ul class="checks">
        ${checks.map((one) => {
          const ok = one["ok"] === true;
          return html`<li>
            <span class="mark ${ok ? "good" : "bad"}" aria-hidden="true">${ok ? "✓" : "✗"}</span>
            <div><span class="hidden">${ok ? "Done: " : "Missing: "}</span>${line(text(one["detail"]) ?? "")}${one["fix"] ? html`<div class="meta">${line(text(one["fix"]) ?? "")}</div>` : nothing}</div>
          </li>`;
        })}
      </ul>
      <p><button type="button" @click=${() => void this.#check(name, true)}>Check again<span class="hidden"> ${line(name)}</span></button></p>`;
  }
}

// connects reports whether people connect by consent, which has to be set up.
function connects(auth: Json): boolean {
  return text(auth["type"]) === "oauth2" || text(auth["type"]) === "mcp" || text(auth["source"]) !== undefined;
}

function credential(auth: Json): string {
  const type = text(auth["type"]) ?? "none";
  if (type === "none") return "none";
  const scope: { readonly [scope: string]: string } = { user: "each person's own", mentor: "each agent's own", platform: "one for all" };
  const stored = type === "bearer" || type === "api_key" ? (auth["has_token"] === true ? ", stored" : auth["scope"] === "platform" ? ", not stored here" : "") : "";
  return `${line(type)}, ${scope[text(auth["scope"]) ?? ""] ?? ""}${stored}`;
}

// leftOut is what a server lists and clients would not take, and why.
function leftOut(status: Json): TemplateResult | typeof nothing {
  const some = objects(status["left_out"]);
  if (some.length === 0) return nothing;
  const all = typeof status["left_out_count"] === "number" ? status["left_out_count"] : some.length;
  return html`<details class="wide">
    <summary>${all} left out of what it lists</summary>
    <ul class="checks">
      ${some.map(
        (one) => html`<li>
          <span class="mark" aria-hidden="true">–</span>
          <div>${line(text(one["kind"]) ?? "")} <code>${line(text(one["name"]) || "without a name")}</code>${one["part"] ? `, its ${line(text(one["part"]) ?? "")}` : ""}: <span dir="auto">${line(text(one["reason"]) ?? "")}</span></div>
        </li>`,
      )}
    </ul>
    ${all > some.length ? html`<p class="meta">These are the first ${some.length}.</p>` : nothing}
  </details>`;
}

function provider(one: Json): TemplateResult {
  const scopes = list(one["scopes"]).flatMap((s) => text(s) ?? []);
  const id = text(one["client_id"]);
  const secret = one["has_secret"] === true;
  return html`<li class="thing">
    <div class="about">
      <strong>${line(text(one["title"]) ?? text(one["name"]) ?? "")}</strong>
      <div class="meta">${line(text(one["auth_url"]) ?? "")} · from the ${one["source"] === "api" ? "API" : "configuration"}</div>
      ${scopes.length > 0 ? html`<div class="meta">Scopes: ${scopes.map(line).join(", ")}</div>` : nothing}
    </div>
    <ul class="checks wide">
      <li><span class="mark ${id ? "good" : "bad"}" aria-hidden="true">${id ? "✓" : "✗"}</span><div>${id ? html`Client id <code>${line(id)}</code>` : "The client id is missing."}</div></li>
      <li>
        <span class="mark ${secret ? "good" : "muted"}" aria-hidden="true">${secret ? "✓" : "–"}</span>
        <div>${secret ? "The client secret is stored. It is never shown." : "No client secret is stored: that is right for a public client only."}</div>
      </li>
      <li><span class="mark" aria-hidden="true">→</span><div>Register this redirect URI, to the letter: <code>${text(one["redirect_uri"]) ?? ""}</code></div></li>
    </ul>
  </li>`;
}
