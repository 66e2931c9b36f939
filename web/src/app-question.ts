// The question on the screen: what is entered, whether it may be sent, and what is said about it.

import { render, type TemplateResult } from "lit";
import { Armed } from "./app-armed.js";
import type { Ask } from "./app-ask.js";
import { openCard, settledCard, waitingCard, type Card } from "./app-card.js";
import { say } from "./app-strings.js";
import { Clock, remaining } from "./clock.js";
import { Countdown } from "./countdown.js";
import { check, prefilled, type Entries } from "./entries.js";
import { firstControl, hint } from "./fields.js";
import { prose } from "./legible.js";
import { readFields, type Field } from "./schema.js";

export type Action = "accept" | "decline" | "cancel";
export type Content = { [field: string]: unknown };

// Wants is what a person can want of a question.
export interface Wants {
  answer(ask: Ask, action: Action, content: Content | undefined): void;
  visit(page: string): void;
  again(): void; // look at it anew: the last time failed, or its time is over
}

const minute = 60_000;

export class Question {
  ask: Ask | undefined;
  sending = false;
  #fields: readonly Field[] | undefined;
  #entries: Entries = {};
  #errors: { [field: string]: string } = Object.create(null);
  #problem: string | undefined;
  #opened = false;
  #clock = new Clock();
  #countdown: Countdown;
  #armed = new Armed((covered) => this.#arm(covered));

  // stage is where the question is drawn, spoken what is only said aloud.
  constructor(
    private readonly stage: Element,
    private readonly spoken: Element,
    private readonly wants: Wants,
  ) {
    this.#countdown = new Countdown({ addController() {}, requestUpdate: () => this.#tick() }, (n) => this.#say(say("secondsLeft", { n, service: say("thisQuestion") })), () => wants.again());
    this.#countdown.hostConnected();
    // Without a form of the browser's, which hosts may forbid, nothing else sends by this key.
    stage.addEventListener("keydown", (event) => {
      const { key, isComposing, target } = event as KeyboardEvent;
      if (key === "Enter" && !isComposing && target instanceof HTMLInputElement && this.#fields) this.#submit();
    });
  }

  get pending(): boolean {
    return this.ask?.state === "pending";
  }

  // wait says that there is no question yet, or why not.
  wait(trouble?: string): void {
    this.#draw(waitingCard(trouble, () => this.wants.again()));
    if (trouble !== undefined) this.#say(trouble);
  }

  // take shows what the server says. Of the question that is shown already it only notes what changed, so that nobody is
  // disturbed who is filling it in.
  take(ask: Ask): void {
    const same = this.pending && ask.state === "pending" && ask.elicitId === this.ask?.elicitId;
    const answered = this.sending;
    ask.title ||= this.ask?.title ?? ""; // how it ended is said without
    this.ask = ask;
    this.sending = false;
    this.#clock.note(ask.now);
    if (ask.state !== "pending") return this.#end(ask);
    this.#countdown.start(ask.expires, this.#clock);
    if (same) {
      if (answered || ask.violations.length > 0) this.#refused(ask);
      return;
    }
    this.#fields = ask.schema && readFields(ask.schema, ask.order);
    this.#entries = prefilled(this.#fields ?? []);
    this.#errors = Object.create(null);
    this.#problem = prose(ask.problem) || undefined;
    this.#opened = false;
    this.#draw(undefined, "title", true);
  }

  // refuse says why an answer was not taken, or a page not opened.
  refuse(problem: string): void {
    this.sending = false;
    this.#problem = problem;
    this.#draw();
    this.#say(problem);
  }

  // opened says that the page of the question is open elsewhere.
  opened(): void {
    this.#opened = true;
    this.#problem = undefined;
    this.#draw();
  }

  #end({ title, outcome, words }: Ask): void {
    this.#countdown.stop();
    const tone = outcome === "accept" ? "good" : outcome === "decline" ? "bad" : "neutral";
    this.#draw(settledCard(title, { tone, sentence: prose(words) }), "outcome");
    this.#say(words);
  }

  // refused puts what is wrong beside its fields, and the rest before the buttons.
  #refused({ violations, problem }: Ask): void {
    this.#errors = Object.create(null);
    const others: string[] = [];
    for (const { field, message } of violations) {
      if (this.#fields?.some((f) => f.name === field)) this.#errors[field] = message;
      else others.push(message);
    }
    this.#showErrors([problem, ...others].filter(Boolean).map(prose).join(" "));
  }

  #showErrors(problem: string): void {
    const at = this.#fields?.findIndex((f) => f.name in this.#errors) ?? -1;
    this.#problem = problem || (at >= 0 ? say("answerInvalid") : undefined);
    this.#draw(undefined, at >= 0 ? firstControl({ id: `field-${at}`, field: this.#fields![at]! }) : undefined);
    this.#say(this.#problem ?? "");
  }

  #submit(): void {
    const { content, errors } = check(this.#fields ?? [], this.#entries, say);
    this.#errors = errors;
    if (Object.keys(errors).length > 0) this.#showErrors("");
    else this.#answer("accept", content);
  }

  #answer(action: Action, content?: Content): void {
    if (this.sending || !this.#armed.yes || !this.ask) return;
    this.sending = true;
    this.#problem = undefined;
    this.#draw();
    this.wants.answer(this.ask, action, content);
  }

  #enter(field: Field, entry: Entries[string]): void {
    this.#entries = { ...this.#entries, [field.name]: entry };
    // In place: what is drawn anew would take the cursor away.
    const part = (name: string) => document.getElementById(`field-${this.#fields!.indexOf(field)}-${name}`);
    part("hint")?.replaceChildren(hint({ field, entry, say }));
    if (!(field.name in this.#errors)) return;
    delete this.#errors[field.name];
    const error = part("error");
    const wrong = error?.closest(".wrong");
    wrong?.classList.remove("wrong");
    for (const control of wrong?.parentElement?.querySelectorAll("[aria-invalid=true]") ?? []) control.setAttribute("aria-invalid", String(!!control.closest(".wrong")));
    error?.remove();
  }

  #card(ask: Ask): Card {
    return {
      ask,
      fields: this.#fields,
      errors: this.#errors,
      problem: this.#problem,
      sending: this.sending,
      opened: this.#opened,
      entry: ({ name }) => this.#entries[name],
      enter: (field, entry) => this.#enter(field, entry),
      submit: () => this.#submit(),
      answer: (action, content) => this.#answer(action, content),
      open: () => this.wants.visit(ask.page!),
    };
  }

  // draw shows the open question, or something else. The focus stays where it was, or goes to what is named if it was in
  // the card: who writes elsewhere in the host is not called away.
  #draw(other?: TemplateResult, focus?: string, another = false): void {
    const active = this.stage.contains(document.activeElement) ? document.activeElement : null;
    render(other ?? openCard(this.#card(this.ask!)), this.stage as HTMLElement);
    this.#armed.watch(other ? [] : this.stage.querySelectorAll(".card, .buttons"), another);
    this.#arm(false);
    this.#tick();
    if (active) document.getElementById(focus ?? active.id)?.focus();
  }

  // arm shows whether the buttons do anything. Who cannot see the card whole may go to the page of the question.
  #arm(covered: boolean): void {
    for (const button of this.stage.querySelectorAll("[data-armed]")) button.setAttribute("aria-disabled", String(this.sending || !this.#armed.yes));
    for (const note of this.stage.querySelectorAll<HTMLElement>(".covered")) note.hidden = !covered;
  }

  #tick(): void {
    const timer = this.stage.querySelector<HTMLElement>(".timer");
    const { left } = this.#countdown;
    if (!timer) return;
    timer.hidden = left === undefined;
    timer.classList.toggle("soon", left !== undefined && left <= minute);
    timer.lastElementChild!.textContent = say("expiresIn", { time: remaining(left ?? 0) });
  }

  #say(words: string): void {
    this.spoken.textContent = words;
  }
}
