// The questions that wait for the person: a list, and the one that is open.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { repeat } from "lit/directives/repeat.js";
import type { InboxMany } from "./inbox-many.js";
import { Panel } from "./inbox-panel.js";
import { Pending } from "./inbox-pending.js";
import { inboxStyles, questionsStyles } from "./inbox-styles.js";
import type { Item } from "./inbox-wire.js";
import { gist, heading, when, whose } from "./inbox-words.js";
import type { ParleyQuestion } from "./question.js";
import { controls, theme } from "./styles.js";

const most = 500; // questions that are answered at once

export class InboxQuestions extends LitElement {
  static override styles = [theme, controls, inboxStyles, questionsStyles];
  static override properties = { user: {} };
  declare user: string;

  #pending: Pending | undefined;
  #leave: AbortController | undefined;
  #open: Item | undefined; // as it stands; it stays when it is over
  #panel = new Panel((item) => this.#set(() => this.#open?.id === item.id && (this.#open = item)));
  #at = ""; // the row that has the focus, or had it; none yet means the first
  #picking = false;
  #picked = new Map<string, Item>();
  #many = false; // the table of those that were picked is shown
  #focusNext: "row" | "question" | "many" | undefined;
  #told: string | undefined;
  #spoken = "";

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("keydown", this.#key); // wherever on the page the focus is
    this.addEventListener("parley-answered", this.#answered as EventListener);
    this.addEventListener("parley-hint", () => void this.#pending?.reload());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.#key);
    this.removeEventListener("parley-answered", this.#answered as EventListener);
    this.#leave?.abort();
    this.#panel.show(undefined);
    this.#pending = undefined;
  }

  #start(): Pending {
    this.#leave = new AbortController();
    const pending = new Pending(this.user, () => this.#changed(), (item) => this.#settled(item));
    void pending.run(this.#leave.signal);
    return pending;
  }

  #changed(): void {
    const { items, own, next, loading } = this.#pending!;
    if (this.#at && !items.some((i) => i.id === this.#at)) this.#moveOn();
    const waiting = own.length;
    const count = waiting === 0 ? "" : `${waiting}${next ? "+" : ""}`;
    if (!loading && count !== this.#told) {
      this.#told = count;
      this.dispatchEvent(new CustomEvent("inbox-count", { detail: count }));
    }
    this.requestUpdate();
  }

  // moveOn finds the row for the keyboard after its own has gone: the next one, which is older.
  #moveOn(): void {
    const had = this.shadowRoot?.activeElement?.classList.contains("row");
    const { own, others } = this.#pending!;
    const next = own.find((i) => i.id < this.#at) ?? own.at(-1) ?? others[0];
    this.#at = next?.id ?? "";
    if (had) this.#focusNext = "row";
  }

  // settled is told of what is over, wherever it was answered.
  #settled(item: Item): void {
    this.#picked.delete(item.id);
    if (this.#open?.id === item.id) this.#open = item;
    else this.#spoken = `No longer open: ${heading(item)}`;
  }

  #answered = (event: CustomEvent<{ elicitationId: string }>): void => this.#pending?.remove(event.detail.elicitationId);

  protected override render(): TemplateResult {
    const pending = (this.#pending ??= this.#start());
    const opened = this.#open !== undefined || this.#many;
    return html`<div class="panes ${opened ? "opened" : ""}">
        <div class="choose">${this.#bar(pending)} ${this.#states(pending)} ${this.#list(pending)}</div>
        <section class="detail ${opened ? "" : "none"}" aria-label="Open question">${this.#detail(pending)}</section>
      </div>
      <div class="hidden" role="status">${this.#spoken}</div>`;
  }

  #bar({ own, next }: Pending): TemplateResult | typeof nothing {
    if (own.length === 0) return nothing;
    return html`<div class="bar">
      <h2 id="yours">Waiting for you</h2>
      ${this.#picking
        ? html`<button type="button" @click=${() => void this.#pickAll()}>Choose all${next ? `, up to ${most}` : ""}</button>
            <button type="button" class="primary" aria-disabled=${this.#picked.size === 0} @click=${this.#review}>Answer ${this.#picked.size}…</button>
            <button type="button" class="quiet" @click=${this.#stopPicking}>Cancel</button>`
        : html`<button type="button" @click=${() => this.#set(() => (this.#picking = true))}>Choose several</button>`}
    </div>`;
  }

  #states({ problem, failed, connected, loading, own }: Pending): TemplateResult {
    return html`${problem && failed === "list"
        ? html`<p class="problem" role="alert">${problem} <button type="button" @click=${() => void this.#pending?.reload()}>Try again</button></p>`
        : nothing}
      ${connected ? nothing : html`<p class="notice" role="status">The connection is lost. Trying again…</p>`}
      ${own.length > 0 || problem
        ? nothing
        : loading
          ? html`<p class="empty">Looking for questions…</p>`
          : html`<p class="empty">Nothing waits for you. New questions appear here by themselves.</p>`}`;
  }

  // list has what waits for the person first, and then what waits for others.
  #list(pending: Pending): TemplateResult | typeof nothing {
    const { own, others, next, loading, problem, failed } = pending;
    if (pending.items.length === 0) return nothing;
    const first = own[0] ?? others[0]!;
    const list = (some: readonly Item[], heading: string) =>
      html`<ul aria-labelledby=${heading} aria-describedby="keys">${repeat(some, (i) => i.id, (i) => this.#row(i, first))}</ul>`;
    return html`<p class="hidden" id="keys">Use j and k or the arrow keys to go from one to the next, Enter to open one, Escape to come back.</p>
      <div class="list" @scroll=${this.#scrolled}>
        ${own.length > 0 ? list(own, "yours") : nothing}
        ${others.length > 0 ? html`<h3 id="others">Waiting for others</h3>${list(others, "others")}` : nothing}
        ${next
          ? html`<div class="more">
              ${problem && failed === "more" ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
              <button type="button" @click=${() => void pending.more()}>${loading ? "Reading…" : "Show more"}</button>
            </div>`
          : nothing}
      </div>`;
  }

  #row(item: Item, first: Item): TemplateResult {
    const from = item.asker ? ` ·${whose(item)}` : "";
    return html`<li>
      ${this.#picking && !item.others
        ? html`<label class="pick"><span class="hidden">Choose: ${heading(item)}</span
            ><input type="checkbox" .checked=${this.#picked.has(item.id)} @change=${() => this.#pick(item)} /></label>`
        : nothing}
      <button type="button" class="row" data-id=${item.id} tabindex=${item.id === (this.#at || first.id) ? 0 : -1} aria-current=${item.id === this.#open?.id}
        @focus=${() => this.#set(() => (this.#at = item.id))} @click=${() => this.#show(item)}>
        <strong dir="auto">${heading(item)}</strong>
        <span class="clip" dir="auto">${gist(item)}</span>
        <span class="meta">${when(item.createdAt)}${from}</span>
      </button>
    </li>`;
  }

  #detail(pending: Pending): TemplateResult {
    const back = html`<button type="button" class="back" @click=${this.#back}>Back to the list</button>`;
    if (this.#many) {
      return html`${back}<parley-inbox-many .items=${[...this.#picked.values()]} @inbox-done=${this.#stopPicking}
          @inbox-answered=${(e: CustomEvent<string[]>) => pending.remove(...e.detail)}></parley-inbox-many>`;
    }
    const item = this.#open;
    if (!item) {
      return html`<p class="empty keys">${pending.items.length === 0 ? nothing : html`Choose a question: <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>`}</p>`;
    }
    const others = pending.own.some((i) => i.id !== item.id);
    const over = !item.pending || !pending.items.some((i) => i.id === item.id);
    return html`${back}
      <p class="meta">Asked ${when(item.createdAt)}${whose(item)} ·
        <a href="/answer/${item.id}" target="_blank" rel="noopener">Its own page</a></p>
      ${keyed(item.id, html`<parley-question .request=${item.request} endpoint="/answer/${item.id}"></parley-question>`)}
      ${over
        ? html`<div class="after">
            ${others ? html`<button type="button" class="primary" id="next" @click=${this.#next}>Next question</button>` : html`<p class="muted">Nothing else waits for you.</p>`}
          </div>`
        : nothing}`;
  }

  #set(change: () => void): void {
    change();
    this.requestUpdate();
  }

  #show(item: Item): void {
    this.#open = item;
    this.#at = item.id;
    this.#many = false;
    this.#focusNext = "question";
    this.requestUpdate();
  }

  #next = (): void => {
    const { own } = this.#pending!;
    const item = own.find((i) => i.id < (this.#open?.id ?? "")) ?? own[0];
    if (item) this.#show(item);
  };

  #back = (): void => {
    this.#open = undefined;
    this.#many = false;
    this.#focusNext = "row";
    this.requestUpdate();
  };

  #pick(item: Item): void {
    if (!this.#picked.delete(item.id)) this.#picked.set(item.id, item);
    this.requestUpdate();
  }

  async #pickAll(): Promise<void> {
    await this.#pending?.upTo(most);
    for (const item of this.#pending?.own.slice(0, most) ?? []) this.#picked.set(item.id, item);
    this.requestUpdate();
  }

  #review = (): void => {
    if (this.#picked.size === 0) return;
    this.#many = true;
    this.#open = undefined;
    this.#focusNext = "many";
    this.requestUpdate();
  };

  #stopPicking = (): void => {
    if (this.#many) void this.#pending?.reload(); // some may have been settled elsewhere
    this.#picking = this.#many = false;
    this.#picked.clear();
    this.#focusNext = "row";
    this.requestUpdate();
  };

  #scrolled = (event: Event): void => {
    const list = event.currentTarget as HTMLElement;
    if (list.scrollHeight - list.scrollTop - list.clientHeight < 400) void this.#pending?.more();
  };

  // key moves through the list. What is typed into a field, or with another key held, is left alone, and so are arrows that scroll an open question.
  #key = (event: KeyboardEvent): void => {
    const path = event.composedPath().filter((e) => e instanceof HTMLElement);
    if (this.hidden || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
    const opened = this.#open || this.#many;
    if (event.key === "Escape" && opened) return event.preventDefault(), this.#back();
    const inList = path[0]?.classList.contains("row") ?? false;
    const arrows = inList || (!opened && !path.some((e) => e.matches("input")));
    const step = { j: 1, k: -1, ...(arrows && { ArrowDown: 1, ArrowUp: -1 }) }[event.key];
    if (step === undefined || path.some((e) => e.isContentEditable || e.matches("textarea, select, dialog, input:not([type=checkbox], [type=radio])"))) return;
    event.preventDefault();
    this.#step(step, inList);
  };

  #step(by: number, inList: boolean): void {
    const { own, others } = this.#pending!;
    const items = [...own, ...others];
    const now = items.findIndex((i) => i.id === this.#at);
    const to = items[Math.max(0, Math.min(items.length - 1, inList ? now + by : now))];
    if (!to) return;
    this.#at = to.id;
    this.#focusNext = "row";
    if (now + by >= items.length - 5) void this.#pending?.more();
    this.requestUpdate();
  }

  protected override async updated(): Promise<void> {
    this.#panel.show(this.isConnected ? this.#open : undefined);
    const next = this.#focusNext;
    this.#focusNext = undefined;
    if (next === "row") this.renderRoot.querySelector<HTMLElement>('.row[tabindex="0"]')?.focus();
    if (next === "many") this.renderRoot.querySelector<InboxMany>("parley-inbox-many")?.focus();
    if (next !== "question") return;
    const card = this.renderRoot.querySelector<ParleyQuestion>("parley-question");
    await card?.updateComplete;
    card?.focus();
  }
}
