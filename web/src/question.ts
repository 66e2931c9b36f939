// <parley-question>: one question as a card. It works alone: give it the data of a data-elicitation-request part.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { readAddress } from "./address.js";
import { answer, Refused, type Answer, type FieldError, type GetToken } from "./api.js";
import type { Ending } from "./card-frame.js";
import { openCard, settledCard, type Card, type Kind, type Phase } from "./cards.js";
import { Clock, remaining } from "./clock.js";
import { Countdown } from "./countdown.js";
import { check, prefilled, type Entries } from "./entries.js";
import { firstControl } from "./fields.js";
import { icons } from "./icons.js";
import { line, name } from "./legible.js";
import { chosenLabels, ending, type Here } from "./outcome.js";
import { openWindow } from "./popup.js";
import { questionStyles } from "./question-styles.js";
import { isArgument, readFields, type Field } from "./schema.js";
import { sayer, type Say, type Strings } from "./strings.js";
import { controls, theme } from "./styles.js";
import { readQuestion, serviceOf, type Action, type Outcome, type Question } from "./wire.js";

const minute = 60_000;

export class ParleyQuestion extends LitElement {
  static override styles = [theme, controls, questionStyles];

  static override properties = {
    request: { attribute: false },
    endpoint: {},
    base: {},
    conversation: {},
    token: { attribute: false },
    getToken: { attribute: false },
    strings: { attribute: false },
    theme: { reflect: true },
    clock: { attribute: false },
  };

  declare request: unknown; // the data of the part
  declare endpoint: string | undefined; // where answers go; without it only the event tells of them
  declare base: string | undefined; // the server; default: the origin of the endpoint, or of the page
  declare conversation: string | undefined;
  declare token: string | undefined;
  declare getToken: GetToken | undefined;
  declare strings: Partial<Strings> | undefined;
  declare theme: string | undefined;
  declare clock: Clock;

  #question: Question | undefined;
  #fields: readonly Field[] | undefined;
  #entries: Entries = {};
  #errors: { [field: string]: string } = Object.create(null);
  #problem: string | undefined;
  #phase: Phase = "ready";
  #outcome: Outcome | "elsewhere" | undefined; // what is known here before the server's word comes
  #here: Here = { answered: false, watched: false };
  #spoken = "";
  #focusNext: string | undefined; // the id of the element that takes the focus after the next update
  #countdown = new Countdown(
    this,
    (n) => (this.#spoken = this.#say("secondsLeft", { n, service: this.#service() })),
    () => this.#end({ action: "expire" }),
  );

  constructor() {
    super();
    this.clock = new Clock();
  }

  // pending reports whether the question waits for an answer.
  get pending(): boolean {
    return this.#question !== undefined && !this.#question.outcome && !this.#outcome;
  }

  // focus goes to the heading, or to how it ended: never to a control, so that a key that was meant for something else
  // decides nothing.
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>("#outcome, #title")?.focus(options);
  }

  // refuse shows that an answer was not taken, for hosts that send answers themselves.
  refuse(problem: string, fields: readonly FieldError[] = []): void {
    this.#reopen("ready");
    this.#problem = [problem, ...this.#takeErrors(fields)].join(" ");
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("message", this.#heard);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("message", this.#heard);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("request")) this.#take(readQuestion(this.request));
  }

  #take(question: Question | undefined): void {
    const another = question?.elicitationId !== this.#question?.elicitationId;
    this.#question = question;
    if (another) {
      this.#fields = question?.mode === "form" ? readFields(question.requestedSchema, question.fieldOrder) : undefined;
      this.#entries = prefilled(this.#fields ?? []);
      this.#errors = Object.create(null);
      this.#problem = this.#outcome = undefined;
      this.#phase = "ready";
      this.#here = { answered: false, watched: false };
      this.#countdown.start(question?.expiresAt, this.clock);
    }
    if (this.pending) this.#here.watched = true;
    else this.#close();
  }

  // close ends the countdown, and moves the focus to the outcome if it was on a control that goes away.
  #close(): void {
    this.#countdown.stop();
    if (this.shadowRoot?.activeElement) this.#focusNext = "outcome";
  }

  #end(outcome: Outcome | "elsewhere"): void {
    this.#outcome = outcome;
    this.#close();
    this.requestUpdate();
  }

  get #say(): Say {
    return sayer(this.strings);
  }

  #service(): string {
    return name(serviceOf(this.#question) || this.#say("someone"));
  }

  #base(): string {
    return new URL(this.base || this.endpoint || location.origin, document.baseURI).href;
  }

  #kind(): Kind {
    const question = this.#question!;
    if (question.context.trigger === "approvers") return "waiting";
    if (question.mode === "url") return "connect";
    if (!this.#fields) return "unsupported";
    const [first, ...others] = this.#fields;
    const approval = question.context.trigger === "tool_approval" && first?.name === "decision" && first.kind === "choice" && !others.some((f) => f.required || (f.kind !== "choice" && !isArgument(f) && !(f.kind === "string" && f.name === "reason")));
    return approval ? "approval" : "form";
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.#question) return nothing;
    const card = this.#card(this.#question);
    const end = this.#ending();
    return html`${end ? settledCard(card, end) : openCard(card, this.#timer())}
      <div class="hidden" role="status">${end && this.#here.watched ? end.sentence : this.#spoken}</div>
      <div class="hidden" role="alert">${end ? nothing : this.#problem}</div>`;
  }

  // ending is how the question ended: what the server says, else what is known here.
  #ending(): Ending | undefined {
    const outcome = this.#question!.outcome ?? this.#outcome;
    if (outcome === "elsewhere") return { tone: "neutral", sentence: this.#say("answerSettled") };
    return outcome && ending(this.#question!, outcome, this.#here, this.#say);
  }

  #card(question: Question): Card {
    const base = this.#base();
    return {
      kind: this.#kind(),
      question,
      service: this.#service(),
      phase: this.#phase,
      problem: this.#problem,
      address: question.mode === "url" ? readAddress(question.url, base, question.context.domain) : undefined,
      hosted: new URL(`answer/${encodeURIComponent(question.elicitationId)}`, new URL("/", base)).href,
      fields: this.#fields ?? [],
      entries: this.#entries,
      errors: this.#errors,
      say: this.#say,
      open: this.#open,
      submit: this.#submit,
      decline: () => void this.#answer("decline"),
      decide: (decision) => this.#decide(decision),
      enter: (field, entry) => {
        this.#entries = { ...this.#entries, [field]: entry };
        delete this.#errors[field];
        this.requestUpdate();
      },
    };
  }

  #timer(): TemplateResult | typeof nothing {
    const { left } = this.#countdown;
    if (left === undefined) return nothing;
    const until = new Date(this.#question?.expiresAt ?? "").toLocaleString(this.lang || undefined);
    return html`<span class="timer ${left <= minute ? "soon" : ""}" role="timer" aria-live="off"
      title=${this.#say("expiresAt", { time: until })}>${icons.clock}${this.#say("expiresIn", { time: remaining(left) })}</span>`;
  }

  // open goes to the page of a question, in the same moment as the click: later, browsers would not let it.
  #open = (event: Event): void => {
    const { url, context } = this.#question!;
    const address = readAddress(url, this.#base());
    if (!address) return event.preventDefault();
    this.#problem = undefined;
    this.#phase = address.foreign || openWindow(address.href) ? "opened" : "blocked";
    this.requestUpdate();
    // An MCP server that sends people to its own page wants to hear that they agreed to go. Any other page settles its
    // question itself, and the server hears of it from there.
    if (address.foreign && context.trigger === "mcp_elicitation" && context.settledBy !== "page") void this.#answer("accept");
  };

  // heard is told by a hosted page that it is done. That is only a hint: the outcome comes from the server.
  #heard = (event: MessageEvent): void => {
    const data = event.data as { type?: unknown; elicitationId?: unknown } | null;
    if (!this.pending || data?.type !== "parley:settled" || data.elicitationId !== this.#question?.elicitationId) return;
    if (event.origin !== new URL(this.#base()).origin) return;
    this.#phase = "confirming";
    this.requestUpdate();
    this.#tell("parley-hint", { elicitationId: data.elicitationId });
  };

  #submit = (event: Event): void => {
    event.preventDefault();
    const { content, errors } = check(this.#fields ?? [], this.#entries, this.#say);
    if (!this.#wrong(errors)) void this.#answer("accept", content);
  };

  #wrong(errors: { [field: string]: string }): boolean {
    this.#errors = errors;
    const wrong = Object.keys(errors).length > 0;
    if (wrong) this.#showErrors();
    return wrong;
  }

  // decide answers an approval. What else it asks narrows a permission that stays, and nothing else: beside another
  // decision it is not dropped silently. With every yes goes what stands in the arguments: the server refuses other ones
  // than the call's beside another yes than "changed".
  #decide(decision: string): void {
    const [first, ...others] = this.#fields ?? [];
    const checked = (of: (f: Field) => boolean) => check(others.filter(of), this.#entries, this.#say);
    const { content } = checked((f) => f.kind === "choice" && !isArgument(f));
    const lasting = decision === "always_allow";
    if (decision === "allow_once" && Object.keys(content).length > 0) {
      const always = first?.options.find((o) => o.value === "always_allow")?.label ?? this.#say("always_allow");
      this.#problem = this.#say("limitsUnused", { always: line(always) });
      return this.requestUpdate();
    }
    const allows = lasting || decision === "allow_once" || decision === "changed";
    const said = checked((f) => (allows ? isArgument(f) : f.kind === "string" && !isArgument(f)));
    if (allows && this.#wrong(said.errors)) return;
    const answer = { ...(lasting && content), ...said.content, decision };
    void this.#answer("accept", answer, chosenLabels(this.#fields ?? [], answer));
  }

  #showErrors(): void {
    this.#problem = this.#say("answerInvalid");
    const at = this.#fields?.findIndex((f) => f.name in this.#errors) ?? -1;
    if (at >= 0) this.#focusNext = firstControl({ id: `field-${at}`, field: this.#fields![at]! });
    this.requestUpdate();
  }

  // takeErrors puts errors beside their fields and returns those that belong to none.
  #takeErrors(errors: readonly FieldError[]): string[] {
    const others: string[] = [];
    for (const { field, message } of errors) {
      if (this.#fields?.some((f) => f.name === field)) this.#errors[field] = message;
      else others.push(message);
    }
    return others;
  }

  async #answer(action: Action, content?: { [field: string]: unknown }, chosen?: string): Promise<void> {
    if (this.#phase === "sending" || !this.pending) return;
    const { elicitationId } = this.#question!;
    const detail: Answer = { elicitationId, action, ...(content && { content }) };
    const before = this.#phase;
    this.#phase = "sending";
    this.#problem = undefined;
    this.#here = { answered: true, watched: true, decision: this.#kind() === "approval" ? String(content?.["decision"]) : undefined, chosen };
    this.requestUpdate();
    if (!this.#tell("parley-answer", detail) || !this.endpoint) return; // the host sends it
    const mine = () => this.#question?.elicitationId === elicitationId; // unless it has become another card meanwhile
    try {
      await answer(this.endpoint, { base: "", token: this.token, getToken: this.getToken }, this.conversation ?? "", detail);
    } catch (error) {
      if (mine()) this.#refused(error, before);
      return;
    }
    if (mine()) this.#end({ action });
    this.#tell("parley-answered", detail);
  }

  #reopen(phase: Phase): void {
    this.#phase = phase;
    this.#here = { answered: false, watched: true };
  }

  // refused turns what the server says about an answer into a sentence.
  #refused(error: unknown, before: Phase): void {
    this.#reopen(before);
    const status = error instanceof Refused ? error.status : 0;
    if (error instanceof Refused && status === 400) {
      const others = this.#takeErrors(error.fields);
      this.#showErrors();
      if (others.length > 0 || error.fields.length === 0) this.#problem = others.join(" ") || error.said || this.#say("answerFailed");
    } else if (status === 409) this.#end("elsewhere");
    else if (status === 410) this.#end({ action: "expire" });
    else if (status === 401) this.#problem = this.#say("answerSignedOut");
    else if (status === 403 || status === 404) this.#problem = this.#say("answerForbidden");
    else this.#problem = this.#say(status === 0 ? "answerUnreachable" : "answerFailed");
    this.requestUpdate();
    this.#tell("parley-refused", { elicitationId: this.#question!.elicitationId, status });
  }

  // tell dispatches an event and reports whether nobody prevented what comes next.
  #tell(type: string, detail: object): boolean {
    return this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, cancelable: type === "parley-answer", detail }));
  }

  protected override updated(): void {
    const id = this.#focusNext;
    this.#focusNext = undefined;
    const next = this.renderRoot.querySelector<HTMLElement>(`#${id}`);
    next?.focus();
    // A browser shows no more of what takes the focus than itself: a field is shown with its label and its error, and what is said
    // of the whole form if there is room. What follows an end must not take it away again.
    for (const part of [this.renderRoot.querySelector(".problem"), next?.closest(".field")?.firstElementChild]) part?.scrollIntoView({ block: "nearest" });
    if (next) this.dispatchEvent(new Event("scroll", { bubbles: true }));
  }
}
