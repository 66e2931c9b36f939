// How the inbox calls things.

import { line, name } from "./legible.js";
import { title } from "./cards.js";
import { ending } from "./outcome.js";
import { sayer } from "./strings.js";
import { serviceOf, type Question } from "./wire.js";
import type { Item } from "./inbox-wire.js";

export const say = sayer({
  allowed_once: "Allowed once{place}.",
  allowed_always: "Allowed from now on{place}.",
  allowed_as: "Chosen{place}: {chosen}.",
  denied: "Denied{place}.",
  notConnected: "Not connected: dismissed{place}.",
});

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function when(at: string | undefined): string {
  const date = new Date(at ?? "");
  return Number.isNaN(date.valueOf()) ? "" : moment.format(date);
}

export const serviceIn = (question: Question) => name(serviceOf(question) || say("someone"));

// heading is what a question is about, on one line.
export function heading({ question }: Item): string {
  const { tool, trigger } = question.context;
  if (tool && trigger === "tool_approval") return `${name(tool)} at ${serviceIn(question)}`;
  return title({ kind: question.mode === "url" ? "connect" : "form", question, service: serviceIn(question), say });
}

// gist tells a question from its neighbours, on one line. Of a call it is whose it is and what it says: names in the heading of
// our own message have no line breaks, so that the first such line is where the arguments begin.
export function gist({ question, asker, long }: Item): string {
  const { tool, trigger, server } = question.context;
  if (!tool || !server || (trigger !== "tool_approval" && trigger !== "approvers")) return oneLine(question.message);
  const [, args] = long ? [] : /\nArguments:([^]*)/.exec(question.message) ?? [];
  return `May ${name(tool)} be called${asker ? ` for ${name(asker)}` : ""}? ${oneLine(args ?? "")}`.trim();
}

const oneLine = (text: string) => line(text.trim().replace(/\s*\n\s*/g, " "));

const places: { readonly [via: string]: string } = { inbox: "in the inbox", page: "on its page", chat: "in the chat", slack: "in Slack", terminal: "in the terminal" };

// ended is how a question ended, in a sentence, with who and where.
export function ended({ question }: Item): { tone: string; sentence: string; where: string } {
  const outcome = question.outcome;
  if (!outcome) return { tone: "neutral", sentence: "", where: "" };
  const end = ending(question, { ...outcome, via: "chat" }, { answered: false, watched: false }, say);
  const by = outcome.by ? `by ${line(outcome.by)}` : "";
  const place = outcome.via ? (places[outcome.via] ?? `through ${line(outcome.via)}`) : "";
  return { ...end, where: [by, place, when(outcome.at)].filter((s) => s !== "").join(" · ") };
}
