// How the person is told of questions that they do not look at: their browsers, the order of channels, and absences.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { ask, Said } from "./inbox-api.js";
import { inboxStyles } from "./inbox-styles.js";
import { reveal, type Note } from "./inbox-note.js";
import { list, object, text } from "./json.js";
import { controls, theme } from "./styles.js";

export interface Channel {
  channel: string;
  after: number; // seconds
  off: boolean;
}

export interface Device {
  id: string;
  label: string | undefined;
  since: string | undefined;
}

export interface Reach {
  channels: readonly Channel[];
  devices: readonly Device[];
  email: string | undefined;
  absence: { from: string; until: string } | undefined;
  deputy: string | undefined;
}

export function readReach(value: unknown): Reach {
  const data = object(value) ?? {};
  const absence = object(data["absence"]);
  return {
    channels: list(data["channels"]).flatMap((one): Channel[] => {
      const channel = text(object(one)?.["channel"]);
      return channel ? [{ channel, after: Number(object(one)?.["after"]) || 0, off: object(one)?.["off"] === true }] : [];
    }),
    devices: list(data["push_subscriptions"]).flatMap((one): Device[] => {
      const id = text(object(one)?.["id"]);
      return id ? [{ id, label: text(object(one)?.["label"]), since: text(object(one)?.["created_at"]) }] : [];
    }),
    email: text(data["email"]),
    absence: absence && { from: text(absence["from"]) ?? "", until: text(absence["until"]) ?? "" },
    deputy: text(data["deputy"]),
  };
}

// Change is what a part of the page wants done. What came of it is told at its place, in words.
export interface Change {
  at: string; // that place: see Note
  work: () => Promise<string>;
  focus?: string | undefined; // a selector within the part, for when it is done
}

// change asks the page to do something and to read anew how the person is told.
export function change(part: HTMLElement, detail: Change): void {
  part.dispatchEvent(new CustomEvent<Change>("inbox-change", { detail }));
}

export class InboxNotifications extends LitElement {
  static override styles = [theme, controls, inboxStyles];

  #reach: Reach | undefined;
  #none = false;
  #problem: string | undefined;
  #note: (Note & { part: string }) | undefined; // of one of the parts below
  #busy = false;

  protected override firstUpdated(): void {
    void this.#read();
  }

  async #read(): Promise<void> {
    try {
      this.#reach = readReach(await ask("/api/me/channels"));
      this.#problem = undefined;
    } catch (error) {
      this.#none = error instanceof Said && error.status === 404;
      this.#problem = this.#none ? undefined : (error as Error).message;
    }
    this.requestUpdate();
  }

  #change = async (event: CustomEvent<Change>): Promise<void> => {
    if (this.#busy) return;
    const part = event.currentTarget as LitElement;
    this.#busy = true;
    const { at, work, focus } = event.detail;
    const of = part.localName.replace("parley-inbox-", "");
    try {
      this.#note = { part: of, at, text: await work(), bad: false };
    } catch (error) {
      this.#note = { part: of, at, text: (error as Error).message, bad: true };
    }
    this.#busy = false;
    await this.#read();
    await this.updateComplete;
    await part.updateComplete;
    if (focus) part.renderRoot.querySelector<HTMLElement>(focus)?.focus();
    await reveal(part);
  };

  protected override render(): TemplateResult {
    const reach = this.#reach;
    return html`<div class="bar"><h2>How you are told</h2></div>
      <p class="meta">You are told of a question that you do not look at: one way after the other, until it is answered.</p>
      ${this.#problem ? html`<p class="problem" role="alert">${this.#problem} ${reach ? nothing : html`<button type="button" @click=${() => void this.#read()}>Try again</button>`}</p>` : nothing}
      ${this.#none || reach?.channels.length === 0
        ? html`<p class="empty">This server tells nobody of questions. Whoever runs it can configure channels; until then, look here now and then.</p>`
        : nothing}
      ${reach ? this.#parts(reach) : nothing}`;
  }

  #parts(reach: Reach): TemplateResult {
    const push = reach.channels.some((one) => one.channel === "web_push");
    return html`${push ? html`<parley-inbox-devices .reach=${reach} .note=${this.#noteOf("devices")} @inbox-change=${this.#change}></parley-inbox-devices>` : nothing}
      ${reach.channels.length > 0 ? html`<parley-inbox-channels .reach=${reach} .note=${this.#noteOf("channels")} @inbox-change=${this.#change}></parley-inbox-channels>` : nothing}
      <parley-inbox-absence .reach=${reach} .note=${this.#noteOf("absence")} @inbox-change=${this.#change}></parley-inbox-absence>`;
  }

  #noteOf(part: string): Note | undefined {
    return this.#note?.part === part ? this.#note : undefined;
  }
}
