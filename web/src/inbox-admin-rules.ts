// Which calls need an approval, and what another rule would have done: it is tried on the calls that were recorded before it is
// stored.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { itemsOf } from "./inbox-admin-read.js";
import { adminStyles } from "./inbox-admin-styles.js";
import { readTrial, ruleOf, summary, trialTable, unseen, who, type Trial } from "./inbox-admin-trial.js";
import { ask } from "./inbox-api.js";
import { further } from "./inbox-admin-rule-words.js";
import { noteAt, reveal, type Note } from "./inbox-note.js";
import { inboxStyles } from "./inbox-styles.js";
import { tableStyles } from "./inbox-table.js";
import { when } from "./inbox-words.js";
import { list, object, text, type Json } from "./json.js";
import { line } from "./legible.js";
import { controls, theme } from "./styles.js";

const approves: { readonly [approve: string]: string } = {
  always: "asks for every such call",
  unsafe: "asks for such calls of tools that are not read-only",
  never: "asks nobody",
  refuse: "refuses such calls",
};
const wheres: { readonly [page: string]: string } = { "": "wherever it is shown", page: "on its signed-in page only" };
const days: { readonly [days: string]: string } = { "1": "the last day", "7": "the last week", "30": "the last 30 days" };

export class AdminRules extends LitElement {
  static override styles = [theme, controls, inboxStyles, adminStyles, tableStyles];

  #rules: readonly Json[] | undefined;
  #base: Json = {}; // the rule that the form began with
  #tried: { rule: Json; trial: Trial } | undefined;
  #busy = false;
  #note: Note | undefined;
  #said = "";
  #asked = ""; // which one is about to be removed

  protected override firstUpdated(): void {
    void this.#try("list", () => this.#read());
  }

  async #read(): Promise<void> {
    this.#rules = itemsOf(await ask("/api/rules"));
  }

  // try does something. Where it fails, that is said at its place.
  async #try(at: string, work: () => Promise<void>): Promise<boolean> {
    this.#note = undefined;
    this.requestUpdate();
    try {
      await work();
    } catch (error) {
      this.#note = { at, text: (error as Error).message, bad: true };
    }
    this.#busy = false;
    this.requestUpdate();
    await reveal(this);
    return this.#note === undefined;
  }

  protected override render(): TemplateResult {
    return html`<div class="bar"><h2 tabindex="-1">Rules</h2></div>
      <div role="status" class="meta">${this.#said}</div>
      ${noteAt(this.#note, "list")}
      ${this.#rules?.length === 0 ? html`<p class="empty">There is no rule. What a server says holds: approve, in its settings.</p>` : nothing}
      <ol class="things">${this.#rules?.map((rule) => this.#rule(rule))}</ol>
      <p class="meta">The first that fits a call counts; of the configuration's and the tenant's own, the stricter.</p>
      ${this.#form()} ${noteAt(this.#note, "form")} ${this.#results()}`;
  }

  #rule(rule: Json): TemplateResult {
    const name = text(rule["name"]) ?? "";
    const own = rule["source"] === "api";
    return html`<li class="thing">
      <div class="about">
        <strong>${line(name)}</strong>
        <div>${about(rule)} ${rule["approvers"] ? `asks ${who(object(rule["approvers"]))}` : (approves[text(rule["approve"]) ?? ""] ?? "")}.</div>
        ${rule["when"] ? html`<div>Only when <code>${line(text(rule["when"]) ?? "")}</code></div>` : nothing}
        ${further(rule).map((one) => html`<div class="meta">${one}</div>`)}
        <div class="meta">${own ? "Of the tenant" : "Of the configuration: it is changed there"}</div>
      </div>
      <div class="side">${own ? this.#buttons(rule, name) : nothing}</div>
      ${noteAt(this.#note, `rule ${name}`)}
    </li>`;
  }

  #buttons(rule: Json, name: string): TemplateResult {
    const turn = (to: string) => () => {
      this.#asked = to;
      this.requestUpdate();
    };
    if (this.#asked === name)
      return html`<button type="button" class="primary" aria-label="Really remove: ${line(name)}" @click=${() => void this.#remove(name)}>Really remove</button>
        <button type="button" class="quiet" @click=${turn("")}>Keep</button>`;
    return html`<button type="button" aria-label="Try a change of ${line(name)}" @click=${() => this.#edit(rule)}>Try a change</button>
      <button type="button" class="quiet" aria-label="Remove: ${line(name)}" @click=${turn(name)}>Remove</button>`;
  }

  #form(): TemplateResult {
    const base = this.#base;
    const of = object(base["approvers"]);
    const value = (name: string) => text(base[name]) ?? "";
    const kept = unseen(base);
    return html`<h3 tabindex="-1" id="trying">Try a rule</h3>
      <p class="meta">It is judged on the calls that were recorded. Nothing holds before you store it.</p>
      ${kept.length > 0 ? html`<p class="meta">It keeps what is not asked for here: ${kept.map(line).join(", ")}.</p>` : nothing}
      <form class="filter" @submit=${this.#submit} @input=${this.#stale}>
        <label>Name<input name="name" required autocomplete="off" maxlength="64" pattern="[A-Za-z0-9][A-Za-z0-9_\\-]*" .value=${value("name")} /></label>
        <label>Server<input name="server" autocomplete="off" maxlength="100" placeholder="any; * and ? stand for others" .value=${value("server")} /></label>
        <label>Tool<input name="tool" autocomplete="off" maxlength="100" placeholder="any" .value=${value("tool")} /></label>
        <label>What it does<select name="approve">${Object.entries(approves).map(([v, label]) => html`<option value=${v} ?selected=${v === (value("approve") || "always")}>${label}</option>`)}</select></label>
        <label class="long">Only when (an expression, such as args.amount &gt; 100)<input name="when" autocomplete="off" spellcheck="false" maxlength="4096" .value=${value("when")} /></label>
        <label>Approvers<input name="of" autocomplete="off" placeholder="instead of the person" .value=${list(of?.["of"]).flatMap((n) => text(n) ?? []).join(", ")} /></label>
        <label>How many of them<input name="need" type="number" min="1" max="50" .value=${String(of?.["need"] ?? 1)} /></label>
        <label>Where they are asked<input name="slack" autocomplete="off" maxlength="64" pattern="(T[A-Z0-9]+/)?[CG][A-Z0-9]+" title="The id of a channel of Slack's, such as C0123456, or those of workspace and channel: T0123456/C0123456" placeholder="a Slack channel, by its id" .value=${value("slack")} /></label>
        <label>Where it is decided<select name="page">${Object.entries(wheres).map(([v, label]) => html`<option value=${v} ?selected=${(v !== "") === (base["page"] === true)}>${label}</option>`)}</select></label>
        <label>How it is allowed<select name="sign"><option value="">without a signature</option><option value="passkey" ?selected=${value("sign") === "passkey"}>signed with a passkey</option></select></label>
        <label>On the calls of<select name="days">${Object.entries(days).map(([v, label]) => html`<option value=${v} ?selected=${v === "7"}>${label}</option>`)}</select></label>
        <button class="primary" aria-disabled=${this.#busy}>${this.#busy ? "Trying…" : "Try it"}</button>
      </form>`;
  }

  // edit puts a rule into the form.
  #edit(rule: Json): void {
    this.#base = rule;
    this.#tried = undefined;
    this.requestUpdate();
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("#trying")?.focus());
  }

  // stale takes the results away once the form says something else than what was tried.
  #stale = (): void => {
    if (!this.#tried) return;
    this.#tried = undefined;
    this.requestUpdate();
  };

  #submit = (event: Event): void => {
    event.preventDefault();
    if (this.#busy) return;
    const data = new FormData(event.target as HTMLFormElement);
    const rule = ruleOf(this.#base, (name) => String(data.get(name) ?? "").trim());
    const since = new Date(Date.now() - Number(data.get("days")) * 24 * 3600_000).toISOString();
    this.#base = { ...rule };
    this.#tried = undefined;
    this.#busy = true;
    void this.#try("form", async () => {
      this.#tried = { rule, trial: readTrial(await send("/api/rule-trials", "POST", { rule, since })) };
    }).then((done) => done && this.renderRoot.querySelector<HTMLElement>("#found")?.focus());
  };

  #results(): TemplateResult | typeof nothing {
    if (!this.#tried) return nothing;
    const { rule, trial } = this.#tried;
    const known = this.#rules?.some((r) => r["name"] === rule["name"] && r["source"] === "api");
    return html`<h3 tabindex="-1" id="found">What it would have done</h3>
      <p>
        ${trial.looked === 0
          ? html`No call was recorded from ${when(trial.since)} to ${when(trial.until)}.`
          : html`Of ${trial.looked} calls from ${when(trial.since)} to ${when(trial.until)}: ${summary(trial)}`}
      </p>
      ${trial.complete ? nothing : html`<p class="notice">There were more calls than one trial looks at, so these are not all.</p>`}
      ${trial.items.length > 0 ? html`<div class="scrolls" tabindex="0" role="region" aria-label="Calls for which it makes a difference">${trialTable(trial.items)}</div>` : nothing}
      <details>
        <summary>What a trial cannot know</summary>
        <ul>${trial.unknown.map((one) => html`<li>${one}</li>`)}</ul>
      </details>
      <p><button type="button" @click=${() => void this.#store(rule, known === true)}>${known ? "Change" : "Store"} the rule ${line(text(rule["name"]) ?? "")}</button></p>
      ${noteAt(this.#note, "store")}`;
  }

  async #store(rule: Json, known: boolean): Promise<void> {
    const name = text(rule["name"]) ?? "";
    const done = await this.#try("store", async () => {
      await (known ? send(`/api/rules/${encodeURIComponent(name)}`, "PUT", rule) : send("/api/rules", "POST", rule));
      this.#said = `Stored: ${line(name)}. It holds from now on.`;
      this.#tried = undefined;
      this.#base = {};
      await this.#read();
    });
    if (done) this.renderRoot.querySelector<HTMLElement>("h2")?.focus();
  }

  async #remove(name: string): Promise<void> {
    this.#asked = "";
    const done = await this.#try(`rule ${name}`, async () => {
      await ask(`/api/rules/${encodeURIComponent(name)}`, { method: "DELETE" });
      this.#said = `Removed: ${line(name)}.`;
      this.#tried = undefined;
      await this.#read();
    });
    if (done) this.renderRoot.querySelector<HTMLElement>("h2")?.focus();
  }
}

const send = (path: string, method: string, body: Json) => ask(path, { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } });

// about is which calls a rule is for.
function about(rule: Json): string {
  const server = text(rule["server"]);
  const tool = text(rule["tool"]);
  const only: { readonly [annotation: string]: string } = { read_only: "read-only", destructive: "destructive", idempotent: "idempotent", open_world: "open to the world" };
  const marked = Object.entries(only).flatMap(([name, words]) => (rule[name] === undefined ? [] : [`${rule[name] === true ? "" : "not "}${words}`]));
  const which = [tool ? `of ${line(tool)}` : "", server ? (tool ? `at ${line(server)}` : `of ${line(server)}`) : "", marked.length > 0 ? `whose tool is ${marked.join(" and ")}` : ""];
  return `For calls ${which.filter((w) => w !== "").join(" ") || "of every tool"}, it`;
}
