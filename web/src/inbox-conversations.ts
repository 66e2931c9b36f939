// The person's conversations: those that there were, to be taken up again, and a new one.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { newId } from "./conversation.js";
import { ask, Said } from "./inbox-api.js";
import { inboxStyles } from "./inbox-styles.js";
import { when } from "./inbox-words.js";
import { list, object, text } from "./json.js";
import { line } from "./legible.js";
import { controls, theme } from "./styles.js";

export interface Spoken {
  id: string;
  title: string;
  agent: string;
  at: string | undefined;
  waiting: boolean;
}

export function readSpoken(value: unknown): Spoken[] {
  const data = object(value);
  const id = text(data?.["id"]);
  if (!id) return [];
  return [{ id, title: text(data?.["title"]) ?? "", agent: text(data?.["agent"]) ?? "", at: text(data?.["updatedAt"]), waiting: data?.["waiting"] === true }];
}

// chatAt is the page of a conversation.
export const chatAt = (id: string, agent: string) => `/?${new URLSearchParams({ ...(agent && { agent }), conversation: id })}`;

export class InboxConversations extends LitElement {
  static override styles = [
    theme,
    controls,
    inboxStyles,
    css`
      .begin {
        display: flex;
        gap: 0.5rem;
        align-items: center;
      }
      .begin select {
        inline-size: auto;
        max-inline-size: 14rem;
      }
      a.thing {
        color: inherit;
        text-decoration: none;
      }
      a.thing:hover {
        border-color: var(--_text);
      }
      .waits {
        padding: 0 0.6rem;
        border-radius: 1rem;
        background: var(--_accent);
        color: var(--_accent-text);
        font-size: 0.85rem;
      }
    `,
  ];

  #all: readonly Spoken[] | undefined;
  #next: string | undefined;
  #agents: readonly string[] | undefined;
  #agent = "";
  #problem: string | undefined;
  #reading = false;
  #further = false; // what was read last is not the beginning

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.#again);
    this.#again();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.#again);
  }

  // again reads the list from its beginning, also when the person comes back from a conversation.
  #again = (): void => {
    if (document.visibilityState === "visible") void this.#read(undefined);
  };

  async #read(cursor: string | undefined): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    this.#further = cursor !== undefined;
    this.#problem = undefined;
    this.requestUpdate();
    try {
      this.#agents ??= list(object(await ask("/run/v1/models"))?.["data"]).flatMap((one) => text(object(one)?.["id"]) ?? []);
      const page = object(await ask(`/run/api/chat?${new URLSearchParams({ limit: "50", ...(cursor && { cursor }) })}`));
      const more = list(page?.["conversations"]).flatMap(readSpoken);
      const before = cursor ? (this.#all ?? []).filter((one) => !more.some((other) => other.id === one.id)) : [];
      this.#all = [...before, ...more];
      this.#next = text(page?.["nextCursor"]);
    } catch (error) {
      if (error instanceof Said && error.status === 404) (this.#agents = []), (this.#all = []);
      else this.#problem = (error as Error).message;
    }
    this.#reading = false;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`<div class="bar">
        <h2>Conversations</h2>
        ${this.#agents?.length ? this.#begin(this.#agents) : nothing}
      </div>
      ${this.#problem && !this.#further
        ? html`<p class="problem" role="alert">${this.#problem} <button type="button" @click=${() => void this.#read(undefined)}>Try again</button></p>`
        : nothing}
      ${this.#empty()}
      <ul class="things">
        ${this.#all?.map((one) => html`<li>${row(one)}</li>`)}
      </ul>
      ${this.#problem && this.#further ? html`<p class="problem" role="alert">${this.#problem}</p>` : nothing}
      ${this.#next ? html`<p><button type="button" @click=${() => void this.#read(this.#next)}>${this.#reading ? "Reading…" : "Show more"}</button></p>` : nothing}`;
  }

  #empty(): TemplateResult | typeof nothing {
    if (this.#agents?.length === 0) return html`<p class="empty">This server has no agents to talk to.</p>`;
    if (this.#all?.length === 0) return html`<p class="empty">You have not said anything yet. Begin a conversation.</p>`;
    return nothing;
  }

  #begin(agents: readonly string[]): TemplateResult {
    const agent = agents.includes(this.#agent) ? this.#agent : agents[0]!;
    const choose = (event: Event) => {
      this.#agent = (event.target as HTMLSelectElement).value;
      this.requestUpdate();
    };
    return html`<div class="begin">
      ${agents.length > 1
        ? html`<select aria-label="With which agent" @change=${choose}>
            ${agents.map((name) => html`<option value=${name} .selected=${name === agent}>${line(name)}</option>`)}
          </select>`
        : nothing}
      <button type="button" class="primary" @click=${() => location.assign(chatAt(newId("conv"), agent))}>New conversation</button>
    </div>`;
  }
}

function row(one: Spoken): TemplateResult {
  return html`<a class="thing" href=${chatAt(one.id, one.agent)}>
    <span class="about">
      <strong dir="auto">${line(one.title) || "Without words"}</strong>
      <span class="meta"><br />With ${line(one.agent)} · ${when(one.at)}</span>
    </span>
    ${one.waiting ? html`<span class="waits">Waits for you</span>` : nothing}
  </a>`;
}
