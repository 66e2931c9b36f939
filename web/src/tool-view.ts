// Tool calls as they are shown: a line each, and many of them in one line that opens.

import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { contentTemplate, progressTemplate, type Pictures } from "./content-view.js";
import { icons } from "./icons.js";
import { shown } from "./json.js";
import { line } from "./legible.js";
import { inOrder } from "./legible-view.js";
import type { Key, Say } from "./strings.js";
import type { Part, ToolPart, ToolState } from "./wire.js";

const few = 3; // so many calls in a row are shown one by one

const toolStates: { readonly [S in ToolState]: Key } = {
  writing: "toolWriting",
  running: "toolRunning",
  asking: "toolAsking",
  others: "toolOthers",
  done: "toolDone",
  failed: "toolFailed",
  denied: "toolDenied",
};

// Row is what stands in a line of its own: a part, or several calls.
export type Row = Part | { kind: "tools"; id: string; calls: ToolPart[] };

// rows folds calls that follow each other.
export function rows(parts: readonly Part[]): Row[] {
  const all: Row[] = [];
  let calls: ToolPart[] = [];
  const flush = () => {
    if (calls.length > few) all.push({ kind: "tools", id: calls[0]!.id, calls });
    else all.push(...calls);
    calls = [];
  };
  for (const part of parts) {
    if (part.kind === "tool") calls.push(part);
    else if (part.kind !== "text" || /\S/.test(part.text)) {
      flush();
      all.push(part);
    }
  }
  flush();
  return all;
}

// called is a tool and its server as people know them. Models know both by one name.
export function called(part: ToolPart): { tool: string; service: string } {
  const at = part.name.indexOf("__");
  const [box, tool] = at > 0 && at + 2 < part.name.length ? [part.name.slice(0, at), part.name.slice(at + 2)] : ["", part.name];
  const title = part.title?.trim() || tool;
  const service = part.serviceTitle?.trim() || part.service || box;
  return { tool: title, service: title.includes(service) ? "" : service }; // "Connect Acme Tracker" says it already
}

// toolTemplate is a call, and under it what came of it that is to be seen.
export function toolTemplate(part: ToolPart, say: Say, pictures: Pictures): TemplateResult {
  return html`<div class="tool-row">${lineTemplate(part, say)}${progressTemplate(part, say)}${contentTemplate(part, say, pictures)}</div>`;
}

function lineTemplate(part: ToolPart, say: Say): TemplateResult {
  const { tool, service } = called(part);
  return html`<details class="tool ${part.state}" aria-live="off">
    <summary>
      ${icons.tool}<span class="name"><bdi>${line(tool) || say("tool")}</bdi>${service ? html` <bdi class="service">${line(service)}</bdi>` : nothing}</span>
      ${state(part.state, say(toolStates[part.state]))}
      <span class="chevron">${icons.chevron}</span>
    </summary>
    <div class="call">
      ${part.name && tool !== part.name ? html`<p class="caption"><code>${line(part.name)}</code></p>` : nothing}
      ${part.input === undefined ? nothing : value(say("toolInput"), part.input)}
      ${part.output === undefined ? nothing : value(say("toolOutput"), part.output)}
      ${part.error === undefined ? nothing : value(say("toolError"), part.error)}
    </div>
  </details>`;
}

// toolsTemplate is one line for many calls, which says what somebody would open it for.
export function toolsTemplate(calls: readonly ToolPart[], say: Say, pictures: Pictures): TemplateResult {
  const count = (...states: ToolState[]) => calls.filter((c) => states.includes(c.state)).length;
  const names = [...new Set(calls.map((c) => line(called(c).tool)))];
  const failed = count("failed", "denied");
  const summary = (): [ToolState, string] => {
    for (const one of ["asking", "others"] as const) if (count(one) > 0) return [one, say(toolStates[one])];
    if (count("running", "writing") > 0) return ["running", say("toolRunning")];
    if (failed > 0) return ["failed", say("toolsFailed", { n: failed })];
    return ["done", say("toolsDone")];
  };
  const [how, words] = summary();
  return html`<div class="tool-row"><details class="tool tools ${how}" aria-live="off">
    <summary>
      ${icons.tool}<span class="name">${say("toolCalls", { n: calls.length })}
        <bdi class="service">${names.slice(0, few).join(", ")}${names.length > few ? "…" : ""}</bdi></span>
      ${state(how, words)}
      <span class="chevron">${icons.chevron}</span>
    </summary>
    <div class="folded">${calls.map((c) => lineTemplate(c, say))}</div>
  </details>${calls.map((c) => progressTemplate(c, say))}${calls.map((c) => contentTemplate(c, say, pictures))}</div>`;
}

function state(how: ToolState, words: string): TemplateResult {
  const working = how === "writing" || how === "running";
  const icon = how === "done" ? icons.done : how === "failed" || how === "denied" ? icons.no : icons.clock;
  return html`<span class="state">${working ? html`<span class="spinner"></span>` : icon}${words}</span>`;
}

const value = (caption: string, text: string) =>
  html`<p class="caption">${caption}</p>
    <pre tabindex="0" role="region" aria-label=${caption}>${guard([text], () => inOrder(shown(text)))}</pre>`;
