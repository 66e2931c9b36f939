// What a question looks like, by its kind. A card says nothing itself: it shows what its element holds and passes on what
// the person does.

import { html, nothing, type TemplateResult } from "lit";
import type { Address } from "./address.js";
import { call, openFrame, problem, settledFrame, type Ending, type Face } from "./card-frame.js";
import type { Entry, Entries } from "./entries.js";
import { fieldTemplate } from "./fields.js";
import { icons } from "./icons.js";
import { direction, line, prose, restored, visible } from "./legible.js";
import { inOrder } from "./legible-view.js";
import { isArgument, type Field, type Option } from "./schema.js";
import type { Say } from "./strings.js";
import type { Question } from "./wire.js";

export type Phase = "ready" | "sending" | "opened" | "blocked" | "confirming";
export type Kind = "connect" | "approval" | "waiting" | "form" | "unsupported";

export interface Card {
  kind: Kind;
  question: Question;
  service: string;
  phase: Phase;
  problem: string | undefined;
  address: Address | undefined;
  hosted: string; // the page on which the question can be answered, too
  fields: readonly Field[];
  entries: Entries;
  errors: { readonly [field: string]: string };
  say: Say;
  open(event: Event): void;
  decline(): void;
  decide(decision: string): void;
  submit(event: Event): void;
  enter(field: string, entry: Entry): void;
}

export function openCard(card: Card, timer: TemplateResult | typeof nothing): TemplateResult {
  const { question, service, say } = card;
  return openFrame(
    face(card),
    badge(card),
    timer,
    html`${question.message.trim() === ""
        ? nothing
        : html`<div class="message">
            ${ourWords(question) ? nothing : html`<span class="from isolate" dir=${direction(say("says", { service: "" }))}>${say("says", { service })}</span>`}
            ${words(question)}
          </div>`}
      ${body(card)}
      ${question.context.account ? html`<p class="account">${say("account")} <bdi>${line(question.context.account)}</bdi></p>` : nothing}`,
  );
}

function badge({ kind, question }: Card): TemplateResult {
  if (question.context.trigger === "tool_approval") return icons.approval;
  if (kind === "waiting") return icons.clock;
  return kind === "unsupported" ? icons.form : icons[kind];
}

// ourWords reports whether the message is what the server itself says of a call to a service: whole, with tool and
// arguments.
const ourWords = ({ context }: Question) =>
  (context.trigger === "tool_approval" || context.trigger === "approvers") && context.server !== undefined;

// exact reports whether somebody decides by the message.
export const exact = (question: Question) => question.context.trigger === "tool_approval" || ourWords(question);

// said is the message as it is shown.
export const said = (question: Question) => (exact(question) ? inOrder(visible(restored(question.message))) : prose(question.message));

// words is what the service says. Of an approval it is what the person decides by.
function words(question: Question): TemplateResult {
  const text = said(question);
  if (!exact(question)) return html`<div class="words" dir="auto">${text}</div>`;
  if (!ourWords(question)) return html`<div class="words exact" dir="ltr">${text}</div>`;
  return html`<div class="words exact whole" dir="ltr" role="region" aria-labelledby="title">${text}</div>`;
}

type Titled = Pick<Card, "kind" | "question" | "service" | "say">;

// A sentence goes the way of its own words, not that of a name in it.
const face = (card: Titled): Face => ({ title: title(card), direction: direction(title({ ...card, service: "" })) });

export function title(card: Titled): string {
  const { kind, question, service, say } = card;
  const { trigger } = question.context;
  if (trigger === "tool_approval") return say("approvalTitle", { service }); // a long one is decided on its page
  if (trigger === "approvers") return say("waitingTitle", { service });
  if (kind === "connect") return say(trigger === "credential_required" ? "connectTitle" : "visitTitle", { service });
  return say("formTitle", { service });
}

export function settledCard(card: Titled, ending: Ending): TemplateResult {
  return settledFrame(face(card), ending);
}

function body(card: Card): TemplateResult {
  switch (card.kind) {
    case "connect":
      return connect(card);
    case "approval":
      return html`${ourWords(card.question) ? nothing : theCall(card)} ${decisions(card)}`;
    case "waiting":
      return html`${people(card)} ${problem(card.problem)}
        <div class="buttons">${decline(card, "takeBack")}</div>`;
    case "form":
      return html`${card.question.context.trigger === "tool_approval" && !ourWords(card.question) ? theCall(card) : nothing} ${form(card)}`;
    case "unsupported":
      return html`<p>${card.say("unsupported")} <a href=${card.hosted} target="_blank" rel="noopener">${card.say("hosted")}</a></p>
        ${problem(card.problem)}
        <div class="buttons">${decline(card, "decline")}</div>`;
  }
}

function connect(card: Card): TemplateResult {
  const { address, say } = card;
  if (!address) {
    return html`${problem(say("unsafe"))} ${problem(card.problem)}
      <div class="buttons">${decline(card, "dismiss")}</div>`;
  }
  const label = say(card.question.context.trigger === "credential_required" ? "connect" : "visit");
  return html`
    <dl>
      <div>
        <dt>${say("address")}</dt>
        <dd><code class="address">${address.before}<strong>${address.trust}</strong>${address.after}</code></dd>
      </div>
    </dl>
    ${address.insecure ? html`<p class="status warn">${icons.warning}<span>${say("insecure")}</span></p>` : nothing} ${progress(card, address)} ${problem(card.problem)}
    <div class="buttons">
      ${address.foreign
        ? html`<a class="button primary" id="go" href=${address.href} target="_blank" rel="noopener noreferrer"
            @click=${card.open}>${label}</a>`
        : html`<button type="button" class="primary" id="go" @click=${card.open}>
            ${card.phase === "opened" ? say("openAgain") : label}
          </button>`}
      ${decline(card, "dismiss")}
    </div>
  `;
}

// progress says what happens while the person is elsewhere. That the other window was closed says nothing: only the
// server knows how it ended.
function progress(card: Card, address: Address): TemplateResult | typeof nothing {
  const { say, phase } = card;
  const instead = html`<a href=${address.href}>${say("sameWindow")}</a>`;
  switch (phase) {
    case "opened":
      return html`<p class="status">
        ${icons.clock}<span>${say(address.foreign ? "openedTab" : "opened")} ${address.foreign ? nothing : instead}</span>
      </p>`;
    case "blocked":
      return problem(html`${say("blocked")} ${instead}`);
    case "confirming":
      return html`<p class="status">${icons.clock}<span>${say("confirming")}</span></p>`;
  }
  return nothing;
}

const theCall = ({ question, say }: Card) => call(question.context.tool, question.context.arguments ?? "", say);

// people are those whom the call waits for, and what they said so far.
function people({ question, say }: Card): TemplateResult | typeof nothing {
  const panel = question.approvers;
  if (!panel) return nothing;
  const have = panel.people.filter((one) => one.decision && one.decision !== "deny").length; // allow_once, or changed
  return html`<div class="panel">
    <p id="panel" aria-live="polite">${say("approversHave", { have, need: panel.need })}</p>
    <ul aria-labelledby="panel">
      ${panel.people.map((one) => {
        const state = one.decision === "deny" ? "bad" : one.decision ? "good" : "neutral";
        const icon = { good: icons.done, bad: icons.no, neutral: icons.clock }[state];
        const key = state === "good" ? "approverAllowed" : state === "bad" ? "approverDenied" : one.withdrawn ? "approverLeft" : one.late ? "approverLate" : "approverAsked";
        return html`<li class=${state}>${icon}<bdi>${line(one.name)}</bdi><span>${say(key)}</span></li>`;
      })}
    </ul>
  </div>`;
}

// decisions are the buttons of an approval. None is the default. What needs words stands
// behind them, so that a phone shows heading and buttons together.
function decisions(card: Card): TemplateResult {
  const options = card.fields[0]!.options;
  const back = options.find((o) => o.value === "asked_back");
  const changed = options.find((o) => o.value === "changed");
  return html`${problem(card.problem)}<div class="buttons">${options.filter((o) => o !== back && o !== changed).map((o) => decision(card, o))}</div>
  ${edits(card, changed)}${narrowing(card)}${remarks(card, back)}`;
}

function decision({ say, phase, decide }: Card, { value, label }: Option): TemplateResult {
  return html`<button type="button" class=${value === "allow_once" ? "primary" : ""} data-decision=${value}
    aria-disabled=${phase === "sending"} @click=${() => decide(value)}>
    ${label === value && isDecision(value) ? say(value) : line(label)}
  </button>`;
}

// control is the control of one field of a card.
const control = (card: Card, field: Field, limit = false): TemplateResult =>
  fieldTemplate({
    id: `field-${card.fields.indexOf(field)}`,
    field,
    entry: card.entries[field.name],
    error: card.errors[field.name],
    say: card.say,
    limit,
    enter: (entry) => card.enter(field.name, entry),
  });

// folded is what stands behind the buttons of an approval until somebody wants it.
const folded = (summary: string, content: unknown): TemplateResult =>
  html`<details class="narrow"><summary>${summary}</summary><div class="form">${content}</div></details>`;

// edits are the arguments of the call, to be changed, before the button that allows it with them.
function edits(card: Card, changed: Option | undefined): TemplateResult | typeof nothing {
  if (!changed) return nothing;
  return folded(
    card.say("edit"),
    html`${card.fields.filter(isArgument).map((field) => control(card, field))}
      <div class="buttons">${decision(card, changed)}</div>`,
  );
}

// remarks are what the agent is told in the person's own words, with a denial or instead
// of a decision.
function remarks(card: Card, back: Option | undefined): TemplateResult | typeof nothing {
  const texts = card.fields.filter((f) => f.kind === "string" && !isArgument(f));
  if (texts.length === 0 && !back) return nothing;
  return folded(
    card.say(back ? "remark" : "sayWhy"),
    html`${texts.map((field) => control(card, field))} ${back ? html`<div class="buttons">${decision(card, back)}</div>` : nothing}`,
  );
}

// narrowing are the fields that narrow a permission which stays.
function narrowing(card: Card): TemplateResult | typeof nothing {
  const { fields, entries, say } = card;
  const limits = fields.slice(1).filter((f) => f.kind === "choice" && !isArgument(f));
  if (limits.length === 0) return nothing;
  return folded(
    say("narrow"),
    html`${limits.map((field) => control(card, field, true))}
    ${limits.some((f) => entries[f.name] !== undefined)
      ? html`<div class="buttons"><button type="button" @click=${() => limits.forEach((f) => card.enter(f.name, undefined))}>${say("noLimits")}</button></div>`
      : nothing}`,
  );
}

const known = ["allow_once", "always_allow", "deny", "asked_back"] as const;
const isDecision = (value: string): value is (typeof known)[number] => (known as readonly string[]).includes(value);

function form(card: Card): TemplateResult {
  const { fields, say } = card;
  return html`<form class="form" novalidate @submit=${card.submit}>
    ${fields.map((field) => control(card, field))}
    ${problem(card.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${card.phase === "sending"}>${say(card.phase === "sending" ? "sending" : "submit")}</button>
      ${decline(card, "decline")}
    </div>
  </form>`;
}

function decline(card: Card, label: "decline" | "dismiss" | "takeBack"): TemplateResult {
  return html`<button type="button" class="quiet" id="decline" aria-disabled=${card.phase === "sending"} @click=${card.decline}>
    ${card.say(label)}
  </button>`;
}
