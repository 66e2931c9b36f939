// <parley-inbox-admin>: what an administrator of the tenant has to do with this site. The server checks each request; what is
// not an administrator's is refused there.

import { css, html, LitElement, type TemplateResult } from "lit";
import { AdminQuestions } from "./inbox-admin-questions.js";
import { AdminRules } from "./inbox-admin-rules.js";
import { AdminRuns } from "./inbox-admin-runs.js";
import { AdminServers } from "./inbox-admin-servers.js";
import { RunTimeline } from "./inbox-admin-timeline.js";
import { inboxStyles } from "./inbox-styles.js";
import { controls, theme } from "./styles.js";

const parts = { servers: "Servers", rules: "Rules", questions: "Questions", runs: "Runs" } as const;
type PartName = keyof typeof parts;

export class InboxAdmin extends LitElement {
  static override styles = [
    theme,
    controls,
    inboxStyles,
    css`
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
        margin-block-end: 1rem;
      }
      nav a {
        padding: 0.35rem 0.8rem;
        border: 1px solid var(--_line);
        border-radius: 2rem;
        color: var(--_text);
        text-decoration: none;
      }
      nav a[aria-current="page"] {
        border-color: var(--_accent);
        background: var(--_accent);
        color: var(--_accent-text);
      }
    `,
  ];

  static override properties = { _part: { state: true } };
  declare _part: PartName;

  constructor() {
    super();
    this._part = "servers";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("hashchange", this.#turn);
    this.#turn();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("hashchange", this.#turn);
  }

  #turn = (): void => {
    const name = location.hash.split("/")[1] ?? "";
    this._part = name in parts ? (name as PartName) : "servers";
  };

  protected override render(): TemplateResult {
    return html`<nav aria-label="Administration">
        ${Object.entries(parts).map(
          ([name, label]) => html`<a href="#administration/${name}" aria-current=${name === this._part ? "page" : "false"}>${label}</a>`,
        )}
      </nav>
      ${this.#shown()}`;
  }

  #shown(): TemplateResult {
    switch (this._part) {
      case "questions":
        return html`<parley-admin-questions></parley-admin-questions>`;
      case "rules":
        return html`<parley-admin-rules></parley-admin-rules>`;
      case "runs":
        return html`<parley-admin-runs></parley-admin-runs>`;
      default:
        return html`<parley-admin-servers></parley-admin-servers>`;
    }
  }
}

// defineAdministration makes the elements known to the page.
export function defineAdministration(): void {
  customElements.define("parley-admin-servers", AdminServers);
  customElements.define("parley-admin-rules", AdminRules);
  customElements.define("parley-admin-questions", AdminQuestions);
  customElements.define("parley-run-timeline", RunTimeline);
  customElements.define("parley-admin-runs", AdminRuns);
  customElements.define("parley-inbox-admin", InboxAdmin);
}
