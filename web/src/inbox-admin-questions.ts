// The questions of the tenant: whom they are for, and how they ended. What people answered stays theirs; an administrator can
// withdraw a question and never answer it.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { ask } from "./inbox-api.js";
import { adminStyles } from "./inbox-admin-styles.js";
import { noteAt, reveal, type Note } from "./inbox-note.js";
import { inboxStyles } from "./inbox-styles.js";
import { readPage, type Item } from "./inbox-wire.js";
import { ended, gist, serviceIn, when, whose } from "./inbox-words.js";
import { line } from "./legible.js";
import { controls, theme } from "./styles.js";

const states = { pending: "Open", settled: "Settled", "": "All" } as const;

export class AdminQuestions extends LitElement {
  static override styles = [theme, controls, inboxStyles, adminStyles];

  #state: string = "pending";
  #user = "";
  #items: readonly Item[] = [];
  #next: string | undefined;
  #loading = false;
  #problem: string | undefined;
  #asked = ""; // which one is about to be withdrawn
  #said = "";
  #note: Note | undefined; // why one was not withdrawn
  #turn = 0; // of reading: what an older one finds is not shown

  protected override firstUpdated(): void {
    void this.#read(true);
  }

  async #read(anew: boolean): Promise<void> {
    const turn = ++this.#turn;
    this.#loading = true;
    this.#problem = undefined;
    this.requestUpdate();
    try {
      const query = new URLSearchParams({ limit: "50", ...(this.#state && { state: this.#state }), ...(this.#user && { user: this.#user }), ...(!anew && this.#next && { cursor: this.#next }) });
      const page = readPage(await ask(`/api/elicitations?${query}`), location.origin);
      if (turn !== this.#turn) return;
      this.#items = anew ? page.items : [...this.#items, ...page.items];
      this.#next = page.next;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#problem = (error as Error).message;
    }
    this.#loading = false;
    this.requestUpdate();
  }

  #choose = (event: Event): void => {
    event.preventDefault();
    const form = this.renderRoot.querySelector("form")!;
    const data = new FormData(form);
    this.#state = String(data.get("state") ?? "");
    this.#user = String(data.get("user") ?? "").trim();
    void this.#read(true);
  };

  protected override render(): TemplateResult {
    const none = this.#items.length === 0 && !this.#loading && !this.#problem && !this.#next;
    return html`<div class="bar"><h2 tabindex="-1">Questions of the tenant</h2></div>
      <form class="filter" @submit=${this.#choose}>
        <label>Which<select name="state" @change=${this.#choose}>${Object.entries(states).map(([value, label]) => html`<option value=${value} ?selected=${value === this.#state}>${label}</option>`)}</select></label>
        <label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
        <button>Show</button>
      </form>
      <div role="status" class="meta">${this.#said}</div>
      ${none ? html`<p class="empty">No such question is there.</p>` : nothing}
      <ul class="things">${this.#items.map((item) => this.#row(item))}</ul>
      ${this.#problem ? html`<p class="problem" role="alert">${this.#problem}</p>` : nothing}
      ${this.#next || this.#problem ? html`<p><button type="button" @click=${() => void this.#read(false)}>${this.#loading ? "Reading…" : "Show more"}</button></p>` : nothing}`;
  }

  #row(item: Item): TemplateResult {
    const to = item.question.context.account;
    const end = ended(item);
    return html`<li class="thing">
      <div class="about">
        <strong dir="auto">${subject(item)}</strong>
        <div class="clip" dir="auto">${gist(item)}</div>
        <div class="meta">To ${to ? line(to) : "a group"} · asked ${when(item.createdAt)}${whose(item)}${item.pending ? ` · open until ${when(item.question.expiresAt)}` : ""}</div>
      </div>
      <div class="side">
        ${item.pending ? this.#buttons(item) : html`<span class=${end.tone}>${end.sentence}</span><div class="meta">${end.where}</div>`}
      </div>
      ${noteAt(this.#note, item.id)}
    </li>`;
  }

  #buttons(item: Item): TemplateResult {
    const turn = (to: string) => () => {
      this.#asked = to;
      this.requestUpdate();
    };
    if (this.#asked !== item.id) return html`<button type="button" aria-label="Withdraw: ${subject(item)}" @click=${turn(item.id)}>Withdraw</button>`;
    return html`<button type="button" class="primary" aria-label="Really withdraw: ${subject(item)}" @click=${() => void this.#withdraw(item)}>Really withdraw</button>
      <button type="button" class="quiet" @click=${turn("")}>Keep</button>`;
  }

  async #withdraw(item: Item): Promise<void> {
    this.#asked = "";
    this.#note = undefined;
    try {
      await ask(`/api/elicitations/${encodeURIComponent(item.id)}/cancel`, { method: "POST" });
      this.#said = `Withdrawn: ${subject(item)}.`;
    } catch (error) {
      this.#note = { at: item.id, text: (error as Error).message, bad: true };
      this.requestUpdate();
      return reveal(this);
    }
    await this.#read(true);
    this.renderRoot.querySelector<HTMLElement>("h2")?.focus();
  }
}

// subject is what a question to somebody else is about.
function subject({ question }: Item): string {
  const { trigger, tool } = question.context;
  const service = serviceIn(question);
  if (trigger === "credential_required") return `Account for ${service}`;
  if (trigger === "approvers") return `Waiting for others: ${service}`;
  if (trigger === "tool_approval") return tool ? `Approval of ${line(tool)}, ${service}` : `Approval for ${service}`;
  return `Question of ${service}`;
}
