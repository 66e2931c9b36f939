// The runs of the tenant: turns of conversations, who they are for, how they stand and what they were spent on.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { itemsOf } from "./inbox-admin-read.js";
import { lasted, readRun, type Run } from "./inbox-admin-runs-wire.js";
import { adminStyles } from "./inbox-admin-styles.js";
import { ask } from "./inbox-api.js";
import { inboxStyles } from "./inbox-styles.js";
import { when } from "./inbox-words.js";
import { object } from "./json.js";
import { line } from "./legible.js";
import { controls, theme } from "./styles.js";

const page = 20;

const stands: { readonly [how: string]: readonly [tone: string, words: string] } = {
  working: ["neutral", "Working"],
  waiting: ["neutral", "Waiting"],
  done: ["good", "Done"],
  stopped: ["neutral", "Stopped"],
  step_limit: ["bad", "Stopped after too many steps"],
  failed: ["bad", "Failed"],
};

export class AdminRuns extends LitElement {
  static override styles = [theme, controls, inboxStyles, adminStyles];

  #user = "";
  #runs: readonly Run[] = [];
  #more = false;
  #complete = true;
  #loading = false;
  #problem: string | undefined;
  #open = new Set<string>(); // whose timeline was asked for

  protected override firstUpdated(): void {
    void this.#read(true);
  }

  async #read(anew: boolean): Promise<void> {
    this.#loading = true;
    this.#problem = undefined;
    this.requestUpdate();
    try {
      const last = anew ? undefined : this.#runs.at(-1);
      const query = new URLSearchParams({ limit: String(page), ...(this.#user && { user: this.#user }), ...(last && { until: last.createdAt }) });
      const answer = await ask(`/api/runs?${query}`);
      const found = itemsOf(answer).map(readRun);
      this.#runs = anew ? found : [...this.#runs, ...found];
      this.#more = found.length === page;
      this.#complete = object(answer)?.["complete"] !== false;
    } catch (error) {
      this.#problem = (error as Error).message;
    }
    this.#loading = false;
    this.requestUpdate();
  }

  #choose = (event: Event): void => {
    event.preventDefault();
    this.#user = String(new FormData(event.target as HTMLFormElement).get("user") ?? "").trim();
    void this.#read(true);
  };

  protected override render(): TemplateResult {
    return html`<div class="bar"><h2>Runs</h2><button type="button" @click=${() => void this.#read(true)}>Look again</button></div>
      <form class="filter" @submit=${this.#choose}>
        <label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
        <button>Show</button>
      </form>
      ${this.#complete ? nothing : html`<p class="notice">There are more runs than one look goes through, so some may be missing. Name a person to see all of theirs.</p>`}
      ${this.#runs.length === 0 && !this.#loading && !this.#problem ? html`<p class="empty">No agent was asked anything yet, or it was forgotten.</p>` : nothing}
      <ul class="things">${this.#runs.map((run) => this.#run(run))}</ul>
      ${this.#problem ? html`<p class="problem" role="alert">${this.#problem}</p>` : nothing}
      ${this.#more || this.#problem ? html`<p><button type="button" @click=${() => void this.#read(this.#runs.length === 0)}>${this.#loading ? "Reading…" : "Show more"}</button></p>` : nothing}`;
  }

  #run(run: Run): TemplateResult {
    const [tone, words] = stands[run.reason || run.status] ?? ["neutral", line(run.status)];
    const calls = run.spans.filter((s) => s.kind === "call").length;
    const waits = run.spans.filter((s) => s.kind === "wait").length;
    const whose = `${line(run.agent)} for ${line(run.user)}`;
    return html`<li class="thing">
      <div class="about">
        <strong>${whose}</strong>
        <div class="meta">${when(run.createdAt)} · ${lasted(run.from, run.to)}${run.status === "ended" ? "" : " so far"} · ${count(calls, "call")} · ${count(waits, "wait")} for people${run.parent ? " · delegated by another run" : ""}</div>
      </div>
      <div class="side"><span class=${tone}>${words}</span></div>
      <details class="wide" @toggle=${(e: Event) => this.#turn(run.id, (e.target as HTMLDetailsElement).open)}>
        <summary>Timeline<span class="hidden"> of ${whose}, ${when(run.createdAt)}</span></summary>
        ${this.#open.has(run.id) ? html`<parley-run-timeline .run=${run}></parley-run-timeline>` : nothing}
      </details>
    </li>`;
  }

  #turn(id: string, open: boolean): void {
    if (open) this.#open.add(id);
    else this.#open.delete(id);
    this.requestUpdate();
  }
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
