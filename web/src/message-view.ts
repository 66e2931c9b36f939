// Messages as they are shown: texts, tool calls, notices. Foreign text becomes text nodes and nothing else.

import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { webLink } from "./address.js";
import { icons } from "./icons.js";
import { shown } from "./json.js";
import { line, prose } from "./legible.js";
import { inOrder } from "./legible-view.js";
import { markdown } from "./markdown-view.js";
import type { Key, Say } from "./strings.js";
import type { Message, Part, Question, ToolState } from "./wire.js";

type ToolPart = Extract<Part, { kind: "tool" }>;

export interface MessageView {
  message: Message;
  say: Say;
  question: (question: Question) => TemplateResult;
}

export function messageTemplate({ message, say, question }: MessageView): TemplateResult {
  if (message.role === "user") return userMessage(message, say);
  // Calls that wait for an answer to their question do not run.
  const asking = new Set(message.parts.flatMap((p) => (p.kind === "question" && !p.question.outcome ? [p.question.context.toolCallId] : [])));
  return html`<div class="message assistant">
    <span class="hidden">${say("assistant")}:</span>
    ${repeat(
      message.parts,
      // A card must stay the same element while the parts around it are replayed: it holds what the person has typed.
      (part, i) => (part.kind === "text" ? `text ${i}` : `${part.kind} ${part.id}`),
      (part) => partTemplate(part.kind === "tool" && asking.has(part.id) ? { ...part, state: "asking" } : part, say, question),
    )}
  </div>`;
}

function userMessage(message: Message, say: Say): TemplateResult {
  const said = message.parts.map((p) => (p.kind === "text" ? p.text : "")).join("\n");
  return html`<div class="message user ${message.status ?? ""}">
    <span class="hidden">${say("you")}:</span>
    <div class="bubble" dir="auto">${said}</div>
    ${message.status === "failed" ? html`<span class="unsent">${say("unsent")}</span>` : nothing}
  </div>`;
}

function partTemplate(part: Part, say: Say, question: (question: Question) => TemplateResult): TemplateResult | typeof nothing {
  switch (part.kind) {
    case "text":
      if (!/\S/.test(part.text)) return nothing;
      return html`<div class="text" dir="auto">${guard([part.text, part.open], () => markdown(part))}</div>`;
    case "tool":
      return tool(part, say);
    case "question":
      return question(part.question);
    case "notice":
      return notice(part.text, part.link, say);
  }
}

function notice(text: string, link: string | undefined, say: Say): TemplateResult {
  const href = link === undefined ? undefined : webLink(link);
  return html`<p class="notice" dir="auto">${icons.warning}<span>${prose(text)}
    ${href ? html` <a href=${href} target="_blank" rel="noopener noreferrer">${say("connectLink")}</a>` : nothing}</span></p>`;
}

const toolStates: { readonly [S in ToolState]: Key } = {
  writing: "toolWriting",
  running: "toolRunning",
  asking: "toolAsking",
  done: "toolDone",
  failed: "toolFailed",
  denied: "toolDenied",
};

function tool(part: ToolPart, say: Say): TemplateResult {
  const working = part.state === "writing" || part.state === "running";
  const icon = part.state === "done" ? icons.done : part.state === "failed" || part.state === "denied" ? icons.no : icons.clock;
  return html`<details class="tool ${part.state}" aria-live="off">
    <summary>
      ${icons.tool}<span class="name" dir="auto">${line(part.title || part.name || say("tool"))}</span>
      <span class="state">${working ? html`<span class="spinner"></span>` : icon}${say(toolStates[part.state])}</span>
      <span class="chevron">${icons.chevron}</span>
    </summary>
    <div class="call">
      ${part.title && part.title !== part.name ? html`<p class="caption"><code>${line(part.name)}</code></p>` : nothing}
      ${part.input === undefined ? nothing : value(say("toolInput"), part.input)}
      ${part.output === undefined ? nothing : value(say("toolOutput"), part.output)}
      ${part.error === undefined ? nothing : value(say("toolError"), part.error)}
    </div>
  </details>`;
}

const value = (caption: string, text: string) =>
  html`<p class="caption">${caption}</p>
    <pre tabindex="0" role="region" aria-label=${caption}>${guard([text], () => inOrder(shown(text)))}</pre>`;
