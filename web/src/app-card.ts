// What the app shows.

import { html, nothing, type TemplateResult } from "lit";
import type { Ask } from "./app-ask.js";
import { say } from "./app-strings.js";
import { call, openFrame, problem, settledFrame, type Ending, type Part } from "./card-frame.js";
import { cardIcons as icons } from "./card-icons.js";
import type { Entry } from "./entries.js";
import { fieldTemplate } from "./fields.js";
import { direction, line, prose, restored, visible } from "./legible.js";
import { inOrder } from "./legible-view.js";
import type { Field } from "./schema.js";

export interface Card {
  ask: Ask;
  fields: readonly Field[] | undefined; // undefined where they cannot be shown
  errors: { readonly [field: string]: string };
  problem: string | undefined;
  sending: boolean;
  opened: boolean; // its page
  entry(field: Field): Entry;
  enter(field: Field, entry: Entry): void;
  submit(): void;
  answer(action: "accept" | "decline" | "cancel", content?: { [field: string]: unknown }): void;
  open(): void;
}

const face = (title: string) => ({ title: line(title) || say("untitled"), direction: direction(title) });

export function openCard(card: Card): TemplateResult {
  const { ask } = card;
  const timer = html`<span class="timer" role="timer" aria-live="off" hidden>${icons.clock}<span></span></span>`;
  return openFrame(face(ask.title), ask.approval ? icons.approval : icons.form, timer, html`${message(ask)} ${theCall(ask)} ${body(card)}`);
}

export const settledCard = (title: string, ending: Ending): TemplateResult => settledFrame(face(title), ending);

// waitingCard is what is there before a question is.
export const waitingCard = (trouble: string | undefined, again: () => void): TemplateResult =>
  trouble === undefined
    ? html`<p class="status">${icons.clock}${say("loading")}</p>`
    : html`<div class="form">${problem(trouble)}<div class="buttons"><button type="button" id="again" @click=${again}>${say("retry")}</button></div></div>`;

// What somebody decides by is shown to the letter. Where the server's own words have the arguments, these are the call's: a
// host that reads others may round their numbers.
function message({ message, approval }: Ask): Part {
  if (message.trim() === "") return nothing;
  if (!approval) return html`<div class="message words" dir="auto">${prose(message)}</div>`;
  return html`<div class="words exact whole" dir="ltr">${inOrder(visible(restored(message)))}</div>`;
}

function theCall({ message, approval }: Ask): Part {
  if (!approval) return nothing;
  const { tool, server } = approval;
  return call(tool, message.includes("\nArguments:\n") ? undefined : approval.arguments, say, server ? [[say("server"), server]] : []);
}

function body(card: Card): TemplateResult {
  const { ask, fields } = card;
  if (!ask.here) return html`${problem(card.problem)} ${page(card)}`;
  if (ask.approval) return html`${problem(card.problem)} ${decisions(card)}`;
  return html`<div class="form">
    ${fields?.map((field, i) =>
      fieldTemplate({
        id: `field-${i}`,
        field,
        get entry() {
          return card.entry(field);
        },
        error: card.errors[field.name],
        say,
        enter: (entry) => card.enter(field, entry),
      }),
    ) ?? html`<p>${say("unsupported")}</p>`}
    ${problem(card.problem)}
    ${buttons(
      fields ? button("submit", say(card.sending ? "sending" : "submit"), card.submit, "primary") : nothing,
      button("decline", say("decline"), () => card.answer("decline")),
      button("cancel", say("cancel"), () => card.answer("cancel"), "quiet"),
    )}
    ${fields ? nothing : page(card)}
  </div>`;
}

// decisions allow this one call, or not: what is allowed from now on is decided where a person is signed in.
function decisions(card: Card): TemplateResult {
  const [decision] = card.fields ?? [];
  const asked = decision?.name === "decision";
  const decide = (value: string) => {
    if (asked) card.answer("accept", { decision: value });
    else card.answer(value === "deny" ? "decline" : "accept");
  };
  return buttons(
    button("allow_once", say("allow_once"), () => decide("allow_once"), "primary"),
    button("deny", say("deny"), () => decide("deny")),
    button("cancel", say("cancel"), () => card.answer("cancel"), "quiet"),
  );
}

// buttons do something only while they are armed; below them stands why they are not.
const buttons = (...all: Part[]) => html`<div class="buttons">${all}</div>
  <p class="status covered" hidden>${icons.warning}<span>${say("covered")}</span></p>`;

const button = (id: string, label: string, act: () => void, look = "") =>
  html`<button type="button" class=${look} id=${id} data-armed @click=${act}>${label}</button>`;

// page leads to where the question can be answered by somebody who is signed in. It decides nothing, so it is not armed.
export function page({ ask, opened, open }: Pick<Card, "ask" | "opened" | "open">): TemplateResult {
  if (!ask.page) return html`<p class="status">${say("nowhere")}</p>`;
  return html`${opened ? html`<p class="status">${icons.clock}<span>${say("openedTab")}</span></p>` : html`<p class="hint">${say("goes", { host: new URL(ask.page).host })}</p>`}
    <div class="buttons"><button type="button" class="primary" id="go" @click=${open}>${say(opened ? "openAgain" : ask.approval ? "hosted" : "visit")}</button></div>`;
}
