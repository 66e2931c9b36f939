// How the inbox calls things.

import { exact, title } from "./cards.js";
import { escaped, hidden, line, name, restored } from "./legible.js";
import { inOrder } from "./legible-view.js";
import { text, type Json } from "./json.js";
import { ending } from "./outcome.js";
import { sayer } from "./strings.js";
import { serviceOf, type Question } from "./wire.js";
import type { Item } from "./inbox-wire.js";

// say has the words of the widget, but of how something ended: who did it stands beside it, and may be somebody else.
export const say = sayer({
  allowed_once: "Allowed once{place}.",
  allowed_always: "Allowed from now on{place}.",
  allowed_as: "Chosen{place}: {chosen}.",
  allowed_changed: "Allowed with changes{place}.",
  denied: "Denied{place}.",
  asked_back_done: "Asked back{place}: the call was not made.",
  takenBack: "Taken back{place}.",
  notConnected: "Not connected: dismissed{place}.",
});

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function when(at: string | undefined): string {
  const date = new Date(at ?? "");
  return Number.isNaN(date.valueOf()) ? "" : moment.format(date);
}

// serverOf is a server as people know it, of a thing that names one.
export const serverOf = (thing: Json) => line(text(thing["server_title"]) || text(thing["server"]) || "");

export const serviceIn = (question: Question) => name(serviceOf(question) || say("someone"));

// heading is what a question is about, on one line.
export function heading({ question }: Item): string {
  const { tool, trigger } = question.context;
  if (tool && trigger === "tool_approval") return `${name(tool)} at ${serviceIn(question)}`;
  return title({ kind: question.mode === "url" ? "connect" : "form", question, service: serviceIn(question), say });
}

// gist tells a question from its neighbours, on one line. Of a call it is whose it is and what it says: names in the heading of
// our own message have no line breaks, so that the first such line is where the arguments begin.
export function gist(item: Item): ReturnType<typeof inOrder> {
  const { question, long } = item;
  const { tool, trigger, server } = question.context;
  const text = exact(question) ? restored(question.message) : question.message;
  if (!tool || !server || (trigger !== "tool_approval" && trigger !== "approvers")) return inOrder(oneLine(text));
  const [, args] = long ? [] : /\nArguments:([^]*)/.exec(text) ?? [];
  return [`May ${name(tool)} be called${whose(item)}? `, ...inOrder(oneLine(args ?? ""))];
}

// whose says for whom a call is, or who asks: a program asks for itself.
export const whose = ({ asker, asks }: Item) => (asker ? ` ${asks ? "by" : "for"} ${name(asker)}` : "");

const oneLine = (text: string) => escaped(text.trim().replace(/\s*\n\s*/g, " "), hidden);

const places: { readonly [via: string]: string } = { inbox: "in the inbox", page: "on its page", chat: "in the chat", slack: "in Slack", terminal: "in the terminal" };

// final is what came of an approval by several, where that is not what this one said.
function final(decision: string | undefined, came: string | undefined): string {
  if (!decision || !came || (decision === "deny") === (came === "deny")) return "";
  return came === "deny" ? "In the end it was not allowed." : "In the end it was allowed.";
}

// ended is how a question ended, in a sentence, with who and where.
export function ended({ question, final: came }: Item): { tone: string; sentence: string; where: string } {
  const outcome = question.outcome;
  if (!outcome) return { tone: "neutral", sentence: "", where: "" };
  const end = ending(question, { ...outcome, via: "chat" }, { answered: false, watched: false }, say);
  const by = outcome.by ? `by ${line(outcome.by)}` : "";
  const last = final(outcome.decision, came);
  const place = outcome.via ? (places[outcome.via] ?? `through ${line(outcome.via)}`) : "";
  return { ...(last ? { tone: "neutral", sentence: `${end.sentence} ${last}` } : end), where: [by, place, when(outcome.at)].filter((s) => s !== "").join(" · ") };
}
