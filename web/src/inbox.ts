// <parley-inbox>: what a person has to do with this site. The address says which part of it is shown.

import { css, html, LitElement, type TemplateResult } from "lit";
import { ask } from "./inbox-api.js";
import { controls, theme } from "./styles.js";

const parts = { questions: "Questions", history: "History", conversations: "Conversations", connections: "Connections", permissions: "Permissions", notifications: "Notifications", administration: "Administration" } as const;
type PartName = keyof typeof parts;

export class ParleyInbox extends LitElement {
  static override styles = [
    theme,
    controls,
    css`
      :host {
        display: block;
      }
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem;
        margin-block-end: 1rem;
        border-block-end: 1px solid var(--_hair);
      }
      nav a {
        padding: 0.6rem 0.8rem;
        border-block-end: 3px solid transparent;
        color: var(--_muted);
        font-weight: 600;
        text-decoration: none;
      }
      nav a:hover {
        color: var(--_text);
      }
      nav a[aria-current="page"] {
        border-color: var(--_accent);
        color: var(--_text);
      }
      .count {
        padding: 0 0.5rem;
        border-radius: 1rem;
        background: var(--_accent);
        color: var(--_accent-text);
        font-size: 0.85em;
      }
      parley-inbox-logins {
        margin-block-start: 2rem;
      }
      @media (max-width: 30rem) {
        nav {
          gap: 0;
        }
        nav a {
          padding: 0.6rem 0.3rem;
          font-size: 0.8rem;
        }
        nav .count {
          display: none; /* it stands in the header of the page */
        }
      }
    `,
  ];

  static override properties = { user: {}, admin: { type: Boolean }, _count: { state: true }, _part: { state: true } };
  declare user: string;
  declare admin: boolean; // they manage the tenant
  declare _count: string;
  declare _part: PartName;

  #looking = 0;

  constructor() {
    super();
    this.user = this._count = "";
    this.admin = false;
    this._part = "questions";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("hashchange", this.#turn);
    document.addEventListener("visibilitychange", this.#look);
    this.#looking = window.setInterval(this.#look, 15_000);
    this.#turn();
    this.#look();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("hashchange", this.#turn);
    document.removeEventListener("visibilitychange", this.#look);
    window.clearInterval(this.#looking);
  }

  // look says that somebody sees the questions, so that nobody is notified of them. It holds for half a minute.
  #look = (): void => {
    if (document.visibilityState !== "visible" || this._part !== "questions") return;
    void ask("/api/me/looking", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }).catch(() => {});
  };

  #turn = (): void => {
    const name = location.hash.slice(1).split("/")[0]!;
    this._part = this.#parts().some(([one]) => one === name) ? (name as PartName) : "questions";
  };

  #parts = () => Object.entries(parts).filter(([name]) => name !== "administration" || this.admin);

  protected override render(): TemplateResult {
    return html`<nav aria-label="Inbox">
        ${this.#parts().map(
          ([name, label]) => html`<a href="#${name}" aria-current=${name === this._part ? "page" : "false"}>${label}
            ${name === "questions" && this._count ? html`<span class="count">${this._count}</span>` : ""}</a>`,
        )}
      </nav>
      <parley-inbox-questions .user=${this.user} ?hidden=${this._part !== "questions"} @inbox-count=${this.#counted}></parley-inbox-questions>
      ${this.#other()}`;
  }

  #other(): TemplateResult {
    switch (this._part) {
      case "history":
        return html`<parley-inbox-history .user=${this.user}></parley-inbox-history>`;
      case "conversations":
        return html`<parley-inbox-conversations></parley-inbox-conversations>`;
      case "connections":
        return html`<parley-inbox-connections .user=${this.user}></parley-inbox-connections>`;
      case "permissions":
        return html`<parley-inbox-permissions .user=${this.user}></parley-inbox-permissions><parley-inbox-logins .user=${this.user}></parley-inbox-logins>`;
      case "notifications":
        return html`<parley-inbox-notifications></parley-inbox-notifications>`;
      case "administration":
        return html`<parley-inbox-admin></parley-inbox-admin>`;
      default:
        return html``;
    }
  }

  // counted shows how many questions wait, here, in the header of the page and in its title.
  #counted = (event: CustomEvent<string>): void => {
    this._count = event.detail;
    document.title = (event.detail ? `(${event.detail}) ` : "") + document.title.replace(/^\(\d+\+?\) /, "");
    const link = document.querySelector(".places a");
    for (const old of link?.querySelectorAll(".count, .hidden") ?? []) old.remove();
    if (event.detail) link?.append(" ", part("count", event.detail), part("hidden", " waiting for you"));
  };
}

const part = (className: string, textContent: string) => Object.assign(document.createElement("span"), { className, textContent });
