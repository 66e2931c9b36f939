// Many questions, answered at once: a table of them first, and then what came of each.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { exact, said } from "./cards.js";
import { send } from "./inbox-api.js";
import { inboxStyles, questionsStyles } from "./inbox-styles.js";
import { table, tableStyles, type Cell } from "./inbox-table.js";
import type { Item } from "./inbox-wire.js";
import { heading } from "./inbox-words.js";
import { readFields } from "./schema.js";
import { controls, theme } from "./styles.js";

type Verdict = "allow_once" | "deny";
interface Reply {
  action: "accept" | "decline";
  content?: { decision: Verdict };
}

const atOnce = 4;

// tellEvery is how often, in milliseconds, what came of the answers is shown: each time the whole table is laid out anew.
const tellEvery = 250;

// replyTo is how a verdict is said to one question; undefined: it has to be answered by itself.
export function replyTo({ question, long, others }: Item, verdict: Verdict): Reply | undefined {
  if (others) return undefined;
  const first = question.mode === "form" ? readFields(question.requestedSchema)?.[0] : undefined;
  const offers = question.context.trigger === "tool_approval" && !long && first?.name === "decision" && first.options.some((o) => o.value === verdict);
  if (offers) return { action: "accept", content: { decision: verdict } };
  return verdict === "deny" ? { action: "decline" } : undefined;
}

export class InboxMany extends LitElement {
  static override styles = [theme, controls, inboxStyles, questionsStyles, tableStyles];
  static override properties = { items: { attribute: false } };
  declare items: readonly Item[];

  #shown: readonly Item[] = []; // those that were there at first: what is answered leaves the list
  #results = new Map<string, { tone: string; text: string }>();
  #state: "asking" | "sending" | "done" = "asking";
  #answered: string[] = []; // and not told of

  override focus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("h2")?.focus());
  }

  protected override willUpdate(): void {
    if (this.#state === "asking") this.#shown = this.items;
  }

  protected override render(): TemplateResult {
    const alone = this.#shown.filter((i) => !replyTo(i, "allow_once")).length;
    return html`<h2 tabindex="-1">${this.#shown.length} questions</h2>
      ${alone > 0 && this.#state === "asking"
        ? html`<p class="muted">${alone} of them cannot be allowed from here. They stay open when you allow the others, and are declined, where that is possible, when you deny them all.</p>`
        : nothing}
      <div class="bar">${this.#buttons(alone)}</div>
      <div role="status" class="meta">${this.#progress()}</div>
      ${table(["Question", "What it says", "Result"], this.#shown.map((item) => this.#row(item)))}`;
  }

  #row(item: Item): Cell[] {
    const result = this.#results.get(item.id);
    return [
      { content: heading(item), dir: "auto" },
      { content: said(item.question), class: "words", dir: exact(item.question) ? "ltr" : "auto" },
      { content: result?.text ?? "Open", class: result?.tone },
    ];
  }

  #buttons(alone: number): TemplateResult {
    if (this.#state === "done") return html`<button type="button" class="primary" @click=${() => this.#tell("inbox-done")}>Back to the list</button>`;
    const off = this.#state === "sending";
    return html`<button type="button" id="allow" aria-disabled=${off || alone === this.#shown.length} @click=${() => void this.#answer("allow_once")}>
        Allow each once
      </button>
      <button type="button" id="deny" aria-disabled=${off} @click=${() => void this.#answer("deny")}>Deny each</button>`;
  }

  #progress(): string {
    if (this.#state === "asking") return "";
    const count = (tone: string) => [...this.#results.values()].filter((r) => r.tone === tone).length;
    const [open, failed] = [count("muted"), count("bad")];
    return `${count("good")} of ${this.#shown.length} done${open > 0 ? `, ${open} left open` : ""}${failed > 0 ? `, ${failed} not as you said` : ""}.`;
  }

  async #answer(verdict: Verdict): Promise<void> {
    if (this.#state !== "asking" || (verdict === "allow_once" && !this.#shown.some((i) => replyTo(i, verdict)))) return;
    this.#state = "sending";
    this.requestUpdate();
    const left = [...this.#shown];
    const work = async () => {
      for (let item = left.shift(); item; item = left.shift()) await this.#one(item, verdict);
    };
    const telling = setInterval(this.#show, tellEvery);
    await Promise.all(Array.from({ length: atOnce }, work));
    clearInterval(telling);
    this.#state = "done";
    this.#show();
  }

  async #one(item: Item, verdict: Verdict): Promise<void> {
    const reply = replyTo(item, verdict);
    if (!reply) this.#results.set(item.id, { tone: "muted", text: "Left open: answer it by itself." });
    else {
      try {
        await send(item.id, reply.action, reply.content);
        this.#results.set(item.id, { tone: "good", text: verdict === "allow_once" ? "Allowed once." : reply.content ? "Denied." : "Declined." });
        this.#answered.push(item.id);
      } catch (error) {
        this.#results.set(item.id, { tone: "bad", text: (error as Error).message });
      }
    }
  }

  // show shows what came of the answers until now, and tells the list which questions are over.
  #show = (): void => {
    if (this.#answered.length > 0) this.#tell("inbox-answered", this.#answered);
    this.#answered = [];
    this.requestUpdate();
  };

  #tell(type: string, ids: string[] = []): void {
    this.dispatchEvent(new CustomEvent(type, { detail: ids }));
  }
}
