// What a rule would have done to the calls that were recorded.

import { html, type TemplateResult } from "lit";
import { objects } from "./inbox-admin-read.js";
import { table, type Cell } from "./inbox-table.js";
import { serverOf, when } from "./inbox-words.js";
import { list, object, text, type Json } from "./json.js";
import { line } from "./legible.js";

export interface Trial {
  since: string;
  until: string;
  looked: number;
  counts: Json;
  items: readonly Json[];
  complete: boolean;
  unknown: readonly string[]; // what it cannot know, in sentences
}

export function readTrial(value: unknown): Trial {
  const data = object(value) ?? {};
  return {
    since: text(data["since"]) ?? "",
    until: text(data["until"]) ?? "",
    looked: typeof data["looked_at"] === "number" ? data["looked_at"] : 0,
    counts: object(data["counts"]) ?? {},
    items: objects(data["items"]),
    complete: data["complete"] !== false,
    unknown: objects(data["not_known"]).flatMap((one) => text(one["text"]) ?? []),
  };
}

// ruleOf is the rule that a form says, with all that the form does not show of the rule that it began with.
export function ruleOf(base: Json, field: (name: string) => string): Json {
  const { position: _, source: __, approvers: ___, ...rest } = base;
  const rule: { [name: string]: unknown } = { ...rest };
  for (const name of ["name", "server", "tool", "when", "approve", "slack", "sign"]) {
    if (field(name)) rule[name] = field(name);
    else delete rule[name];
  }
  if (field("page")) rule["page"] = true;
  else delete rule["page"];
  const of = field("of").split(",").map((s) => s.trim()).filter((s) => s !== "");
  if (of.length > 0) rule["approvers"] = { need: Number(field("need")) || 1, of };
  return rule;
}

// unseen are the members of a rule that a form keeps and does not show.
export function unseen(rule: Json): string[] {
  const shown = ["name", "server", "tool", "when", "approve", "sign", "approvers", "page", "slack", "position", "source"];
  return Object.keys(rule).filter((name) => !shown.includes(name));
}

// who is whom a rule asks instead of the person.
export function who(approvers: Json | undefined): string {
  const of = list(approvers?.["of"]).flatMap((n) => text(n) ?? []);
  return `${String(approvers?.["need"] ?? 1)} of ${of.map(line).join(", ")}`;
}

const outcomes: readonly (readonly [name: string, one: string, many: string])[] = [
  ["refuse", "would have been refused", "would have been refused"],
  ["approvers", "would have needed approvers", "would have needed approvers"],
  ["ask", "would have been asked about", "would have been asked about"],
  ["pass", "would have passed without a question", "would have passed without a question"],
  ["unknown", "cannot be judged", "cannot be judged"],
  ["unchanged", "is as before", "are as before"],
];

// summary says what would have become of the calls.
export function summary({ counts }: Trial): string {
  const parts = outcomes.flatMap(([name, one, many]) => (typeof counts[name] === "number" && counts[name] > 0 ? [`${counts[name]} ${counts[name] === 1 ? one : many}`] : []));
  return `${parts.join("; ")}.`;
}

const verdicts: { readonly [verdict: string]: string } = { pass: "nobody is asked", ask: "the person is asked", approvers: "approvers are asked", refuse: "refused", unknown: "not known" };

export function trialTable(items: readonly Json[]): TemplateResult {
  return table(["When", "Who", "Call", "By the rules of now", "With this rule"], items.map(trialRow));
}

function trialRow(one: Json): Cell[] {
  const then = text(one["then"]) ?? "";
  const agent = text(one["agent"]);
  const of = object(one["approvers"]);
  const why = text(one["why"]);
  const how = text(one["how"]);
  return [
    { content: when(text(one["at"])) },
    { content: html`${line(text(one["user"]) ?? "")}<div class="meta">${agent ? `by ${line(agent)}` : "through the gateway"}</div>` },
    { content: html`${line(text(one["tool"]) ?? "")}, ${serverOf(one)}${how ? html`<div class="meta">it ${line(how).replace("refused", "was refused")}</div>` : ""}` },
    { content: verdicts[text(one["now"]) ?? ""] ?? "" },
    {
      content: html`${verdicts[then] ?? ""}${of ? `: ${who(of)}` : ""}${why ? html`<div class="meta" dir="auto">${line(why)}</div>` : ""}`,
      class: then === "refuse" ? "bad" : undefined,
    },
  ];
}
