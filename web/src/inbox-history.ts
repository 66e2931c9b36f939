// What was asked and is settled: who, where, when and what.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { ask } from "./inbox-api.js";
import { inboxStyles } from "./inbox-styles.js";
import { readPage, type Item } from "./inbox-wire.js";
import { ended, gist, heading, when, whose } from "./inbox-words.js";
import { controls, theme } from "./styles.js";

export class InboxHistory extends LitElement {
  static override styles = [theme, controls, inboxStyles];
  static override properties = { user: {} };
  declare user: string;

  #items: Item[] = [];
  #next: string | undefined;
  #loading = false;
  #problem: string | undefined;

  protected override firstUpdated(): void {
    void this.#read();
  }

  async #read(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    this.#problem = undefined;
    this.requestUpdate();
    try {
      const query = new URLSearchParams({ state: "settled", user: this.user, limit: "50", ...(this.#next && { cursor: this.#next }) });
      const page = readPage(await ask(`/api/elicitations?${query}`), location.origin);
      this.#items = [...this.#items, ...page.items];
      this.#next = page.next;
    } catch (error) {
      this.#problem = (error as Error).message;
    }
    this.#loading = false;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`<div class="bar"><h2>What was settled</h2></div>
      ${this.#items.length === 0 && !this.#loading && !this.#problem && !this.#next ? html`<p class="empty">Nothing was asked of you yet, or it was forgotten.</p>` : nothing}
      <ul class="things">${this.#items.map(row)}</ul>
      ${this.#problem ? html`<p class="problem" role="alert">${this.#problem}</p>` : nothing}
      ${this.#next || this.#problem ? html`<p><button type="button" @click=${() => void this.#read()}>${this.#loading ? "Reading…" : "Show more"}</button></p>` : nothing}`;
  }
}

function row(item: Item): TemplateResult {
  const end = ended(item);
  return html`<li class="thing">
    <div class="about">
      <strong dir="auto">${heading(item)}</strong>
      <div class="clip" dir="auto">${gist(item)}</div>
      <div class="meta">Asked ${when(item.createdAt)}${whose(item)} · <a href="/answer/${item.id}">Its page</a> · <a href="/api/elicitations/${item.id}/receipt" download="receipt-${item.id}.json">Receipt</a></div>
    </div>
    <div>
      <span class=${end.tone}>${end.sentence}</span>
      <div class="meta">${end.where}</div>
    </div>
  </li>`;
}
