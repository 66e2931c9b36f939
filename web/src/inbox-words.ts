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
  return title({ kind: question.mode === "url" ? "connect" : "form", question, service: serviceIn(question), say });
}

export const gist = ({ question }: Item) => line(question.message);

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
