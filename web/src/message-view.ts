// Messages as they are shown: texts, tool calls, notices. Foreign text becomes text nodes and nothing else.

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { webLink } from "./address.js";
import type { Pictures } from "./content-view.js";
import { icons } from "./icons.js";
import { prose, visible } from "./legible.js";
import { markdown } from "./markdown-view.js";
import type { Say } from "./strings.js";
import { rows, toolsTemplate, toolTemplate, type Row } from "./tool-view.js";
import { forOthers, tooLong, type Mark, type Message, type Part, type Question } from "./wire.js";

export interface MessageView {
  message: Message;
  say: Say;
  whole: boolean; // nothing of it is still to come
  // again asks the same once more; undefined where something was said since, or is going on.
  again: (() => void) | undefined;
  left: (() => TemplateResult) | undefined; // what stands under it if the person stopped it and its end is not known
  fresh: boolean; // it has just failed before the person's eyes
  another: (() => void) | undefined; // begins another conversation, if the person may
  copy: (text: string, button: HTMLElement) => void;
  question: (question: Question) => TemplateResult;
  pictures: Pictures;
}

export function messageTemplate(view: MessageView): TemplateResult {
  const { message, say } = view;
  if (message.role === "user") return userMessage(message, say);
  return html`<div class="message assistant">
    <span class="hidden">${say("assistant")}:</span>
    ${repeat(
      rows(waiting(message.parts)),
      // A card must stay the same element while the parts around it are replayed: it holds what the person has typed.
      (row, i) => (row.kind === "text" ? `text ${i}` : `${row.kind} ${row.id}`),
      (row) => rowTemplate(row, view),
    )}
    ${view.left ? view.left() : actions(view)}
  </div>`;
}

// waiting are the parts with their calls as they stand: one that waits for an answer, be it to a question of an agent that
// it delegates to, does not run.
function waiting(parts: readonly Part[]): Part[] {
  const open = parts.flatMap((p) => (p.kind === "question" && !p.question.outcome ? [p.question.context] : []));
  const ended = new Set(["done", "failed", "denied"]);
  return parts.map((part) => {
    const asked = open.filter((c) => c.toolCallId === part.id || c.parentToolCallId === part.id);
    return part.kind === "tool" && asked[0] && !ended.has(part.state) ? { ...part, state: asked.every(forOthers) ? "others" : "asking" } : part;
  });
}

function userMessage(message: Message, say: Say): TemplateResult {
  const said = message.parts.map((p) => (p.kind === "text" ? p.text : "")).join("\n");
  return html`<div class="message user ${message.status ?? ""}">
    <span class="hidden">${say("you")}:</span>
    <div class="bubble" dir="auto">${said}</div>
    ${message.status === "failed" ? html`<span class="unsent">${say("unsent")}</span>` : nothing}
  </div>`;
}

function rowTemplate(row: Row, view: MessageView): TemplateResult | typeof nothing {
  const { say } = view;
  switch (row.kind) {
    case "text":
      return html`<div class="text" dir="auto">${markdown(row, say)}</div>`;
    case "tool":
      return toolTemplate(row, say, view.pictures);
    case "tools":
      return toolsTemplate(row.calls, say, view.pictures);
    case "question":
      return view.question(row.question);
    case "notice":
      return notice(row.text, row.link, say);
    case "mark":
      return mark(row, view);
  }
}

function notice(text: string, link: string | undefined, say: Say): TemplateResult {
  const href = link === undefined ? undefined : webLink(link);
  return html`<p class="notice" dir="auto">${icons.warning}<span>${prose(text)}
    ${href ? html` <a href=${href} target="_blank" rel="noopener noreferrer">${say("connectLink")}</a>` : nothing}</span></p>`;
}

// mark says how a turn ended that did not come to its own end, and what can be done.
function mark({ how, text, code }: Mark, { say, again, another, fresh }: MessageView): TemplateResult {
  const said = how === "stopped" ? say("turnStopped") : visible(text) || say("turnFailed");
  const anew = another && code === tooLong;
  return html`<div class="mark ${how}" role=${fresh ? "alert" : nothing}>
    ${how === "stopped" ? icons.stop : icons.warning}<span>${said}</span>
    ${again && !anew ? html`<button type="button" @click=${again}>${say("retry")}</button>` : nothing}
    ${anew ? html`<button type="button" @click=${another}>${say("newConversation")}</button>` : nothing}
  </div>`;
}

// actions are what can be done with an answer that is there.
function actions({ message, say, whole, again, copy }: MessageView): TemplateResult | typeof nothing {
  const text = message.parts.flatMap((p) => (p.kind === "text" && /\S/.test(p.text) ? [p.text.trim()] : [])).join("\n\n");
  const marked = message.parts.some((p) => p.kind === "mark");
  if (!whole || (text === "" && (!again || marked))) return nothing;
  return html`<div class="actions">
    ${text === ""
      ? nothing
      : html`<button type="button" class="quiet" @click=${(e: Event) => copy(text, e.currentTarget as HTMLElement)}>
          ${icons.copy}<span class="before">${say("copyAnswer")}</span><span class="after">${say("copied")}</span></button>`}
    ${again && !marked ? html`<button type="button" class="quiet" @click=${again}>${icons.again}<span>${say("again")}</span></button>` : nothing}
  </div>`;
}
