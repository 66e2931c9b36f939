// What connections and permissions have in common: a list of things that can be taken back, after a second word.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { ask, Said } from "./inbox-api.js";
import { noteAt, reveal, type Note } from "./inbox-note.js";
import { inboxStyles } from "./inbox-styles.js";
import { list, object, text, type Json } from "./json.js";
import { controls, theme } from "./styles.js";

export interface Words {
  title: string;
  none: string;
  take: string; // the button
  sure: string; // the button that does it
}

export abstract class Things extends LitElement {
  static override styles = [theme, controls, inboxStyles];
  static override properties = { user: {} };
  declare user: string;

  #things: readonly Json[] | undefined;
  #problem: string | undefined;
  #said = "";
  #asked: string | undefined; // which one is about to be taken back
  #note: Note | undefined; // why one was not

  protected abstract readonly words: Words;
  protected abstract readonly path: string; // of the list
  protected abstract key(thing: Json): string;
  protected abstract called(thing: Json): string;
  protected abstract about(thing: Json): TemplateResult;
  protected abstract removal(thing: Json): string; // the path to delete

  // prepare reads what else is needed to show things.
  protected async prepare(_: readonly Json[]): Promise<void> {}

  protected override firstUpdated(): void {
    void this.#read();
  }

  async #read(): Promise<void> {
    await this.#try(async () => {
      const none = (error: unknown) => {
        if (error instanceof Said && error.status === 404) return { items: [] }; // this site has no such things
        throw error;
      };
      const answer = object(await ask(`${this.path}?${new URLSearchParams({ user: this.user })}`).catch(none));
      const things = list(answer?.["items"]).flatMap((one): Json[] => [object(one) ?? {}]);
      await this.prepare(things);
      this.#things = things;
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.#problem = undefined;
    try {
      await work();
    } catch (error) {
      this.#problem = (error as Error).message;
    }
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const things = this.#things;
    return html`<div class="bar"><h2 tabindex="-1">${this.words.title}</h2></div>
      ${this.#problem ? html`<p class="problem" role="alert">${this.#problem} <button type="button" @click=${() => void this.#read()}>Try again</button></p>` : nothing}
      <div role="status" class="meta">${this.#said}</div>
      ${things?.length === 0 ? html`<p class="empty">${this.words.none}</p>` : nothing}
      <ul class="things">
        ${things?.map(
          (thing) => html`<li class="thing">
            <div class="about">${this.about(thing)}</div>
            <div>${this.#buttons(thing)}</div>
            ${noteAt(this.#note, this.key(thing))}
          </li>`,
        )}
      </ul>`;
  }

  #buttons(thing: Json): TemplateResult {
    const key = this.key(thing);
    const called = this.called(thing);
    const turn = (to: string | undefined) => () => {
      this.#asked = to;
      this.requestUpdate();
    };
    if (this.#asked !== key) return html`<button type="button" data-key=${key} aria-label="${this.words.take}: ${called}" @click=${turn(key)}>${this.words.take}</button>`;
    return html`<button type="button" class="primary" aria-label="${this.words.sure}: ${called}" @click=${() => void this.#take(thing)}>${this.words.sure}</button>
      <button type="button" class="quiet" @click=${turn(undefined)}>Keep</button>`;
  }

  async #take(thing: Json): Promise<void> {
    this.#asked = this.#note = undefined;
    try {
      const answer = object(await ask(this.removal(thing), { method: "DELETE" }));
      this.#said = text(answer?.["warning"]) ?? `Done: ${this.called(thing)}.`;
    } catch (error) {
      this.#note = { at: this.key(thing), text: (error as Error).message, bad: true };
      this.requestUpdate();
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>(`button[data-key="${CSS.escape(this.key(thing))}"]`)?.focus();
      return reveal(this);
    }
    await this.#read();
    this.renderRoot.querySelector<HTMLElement>("h2")?.focus();
  }
}
