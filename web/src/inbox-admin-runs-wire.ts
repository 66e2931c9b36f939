// Runs as the management API has them, and the words for their parts.

import { objects } from "./inbox-admin-read.js";
import { object, text, type Json } from "./json.js";
import { line } from "./legible.js";

// Word is what somebody said, and when.
export interface Word {
  name: string;
  decision: string; // empty: nothing
  yes: boolean;
  at?: number | undefined;
}

export interface Span {
  kind: "model" | "call" | "wait";
  step: number;
  what: string; // the tool, with its server
  from?: number | undefined; // not known where it is missing
  to?: number | undefined;
  how?: string | undefined;
  pending: boolean;
  asked: string; // who
  needed: number; // of those that are asked; 0: it is a question to one
  words: readonly Word[];
}

// Stay is a node at which a run was, from when it came there.
export interface Stay {
  node: string;
  from: number;
  after: string; // how it came away from the node before; empty: it began there
}

export interface Run {
  id: string;
  user: string;
  agent: string;
  parent: string;
  trace: string; // empty: it is told in none
  traceURL: string; // where people look at it; empty: nowhere
  status: string;
  reason: string;
  createdAt: string;
  from: number;
  to: number; // now, while it goes on
  stays: readonly Stay[];
  spans: readonly Span[];
  count: number;
}

const moment = (value: unknown): number | undefined => {
  const at = Date.parse(text(value) ?? "");
  return Number.isNaN(at) ? undefined : at;
};

const web = (url: string) => (/^https?:\/\//.test(url) ? url : "");

export function readRun(data: Json): Run {
  const from = moment(data["created_at"]) ?? 0;
  const spans = objects(data["timeline"]).flatMap((one) => readSpan(one) ?? []);
  const status = text(data["status"]) ?? "";
  const last = Math.max(from, ...spans.flatMap((s) => [s.from ?? 0, s.to ?? 0]));
  return {
    id: text(data["id"]) ?? "",
    user: text(data["user"]) ?? "",
    agent: text(data["agent"]) ?? "",
    parent: text(data["parent"]) ?? "",
    trace: text(data["trace"]) ?? "",
    traceURL: web(text(data["trace_url"]) ?? ""),
    status,
    reason: text(data["reason"]) ?? "",
    createdAt: text(data["created_at"]) ?? "",
    from,
    to: status === "ended" ? Math.max(last, moment(data["updated_at"]) ?? 0) : Math.max(last, Date.now()),
    stays: objects(data["nodes"]).flatMap((one) => readStay(one) ?? []),
    spans,
    count: typeof data["timeline_count"] === "number" ? data["timeline_count"] : spans.length,
  };
}

function readStay(data: Json): Stay | undefined {
  const node = line(text(data["node"]) ?? "");
  const from = moment(data["from"]);
  return node && from !== undefined ? { node, from, after: text(data["after"]) ?? "" } : undefined;
}

function readSpan(data: Json): Span | undefined {
  const kind = data["kind"];
  if (kind !== "model" && kind !== "call" && kind !== "wait") return undefined;
  const asked = object(data["asked"]) ?? {};
  const tool = text(data["tool"]) ?? "";
  const server = text(data["server"]) ?? "";
  return {
    kind,
    step: typeof data["step"] === "number" ? data["step"] : 0,
    what: [tool, server].filter((s) => s !== "").map(line).join(", "),
    from: moment(data["from"]),
    to: moment(data["to"]),
    how: text(data["how"]),
    pending: data["pending"] === true,
    asked: line(text(asked["to"]) ?? ""),
    needed: typeof data["needed"] === "number" ? data["needed"] : 0,
    words: data["approvers"] ? objects(data["approvers"]).map(approver) : own(asked),
  };
}

const allows = (decision: string) => decision !== "" && decision !== "deny" && decision !== "asked_back";

function approver(data: Json): Word {
  const decision = text(data["decision"]) ?? "";
  return { name: line(text(data["name"]) ?? ""), decision: decision ? said(decision) : "", yes: allows(decision), at: moment(data["at"]) };
}

// own is what the person who was asked said.
function own(asked: Json): Word[] {
  const action = text(asked["action"]);
  if (!action) return [];
  const decision = text(asked["decision"]) ?? "";
  const by = text(asked["by"]) ?? "";
  return [{ name: line(by), decision: decision ? said(decision) : by ? (actions[action] ?? line(action)) : action === "expire" ? "expired" : "withdrawn", yes: action === "accept" && (decision === "" || allows(decision)), at: moment(asked["at"]) }];
}

const actions: { readonly [action: string]: string } = { accept: "answered", decline: "declined", cancel: "dismissed", expire: "expired" };
const decisions: { readonly [decision: string]: string } = { allow_once: "allowed", always_allow: "allowed from now on", deny: "denied", asked_back: "asked back", changed: "allowed with changes" };
const said = (decision: string) => decisions[decision] ?? line(decision);

// cameFrom says why a run went on at another node than the one before.
export function cameFrom(stay: Stay, before: Stay): string {
  return stay.after === "left" ? `after node ${before.node} died or handed it over` : "after it had waited";
}

// place is what a part of a run is.
export function place(s: Span): string {
  switch (s.kind) {
    case "model":
      return "The model";
    case "call":
      return s.what || "A call";
  }
  const whom = s.words.length > 0 && s.needed > 0 ? s.words.map((w) => w.name).join(", ") : s.asked;
  return `Waiting for ${whom || "somebody"}${s.what ? `: ${s.what}` : ""}`;
}

// heard is what came of it, and of whom.
export function heard(s: Span): string {
  if (s.kind === "call") return s.how ?? "";
  const all = s.words.filter((w) => w.decision !== "").map((w) => [w.name, w.decision].filter((t) => t !== "").join(" "));
  if (s.needed > 0) all.unshift(`${s.needed} needed`);
  return all.join(", ");
}

// long is how long it took, or has taken so far.
export function long(s: Span, run: Run): string {
  if (s.from === undefined) return "";
  if (s.pending) return `${lasted(s.from, run.to)} so far`;
  return s.to === undefined ? "" : lasted(s.from, s.to);
}

// lasted is a time as people say it.
export function lasted(from: number, to: number): string {
  const ms = Math.max(0, to - from);
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.floor(hours / 24)} days${hours % 24 ? ` ${hours % 24} h` : ""}`;
}

// scale places moments so that their order is kept and long times between two of them take little more room than short ones.
export function scale(run: Run, spans: readonly Span[]): { at: (moment: number) => number; total: number } {
  const moments = [...new Set([run.from, run.to, ...run.stays.map((s) => s.from), ...spans.flatMap((s) => [s.from, s.to, ...s.words.map((w) => w.at)])])].filter((m) => m !== undefined && m >= run.from).sort((a, b) => a! - b!) as number[];
  const places = new Map<number, number>();
  let total = 0;
  moments.forEach((m, i) => {
    if (i > 0) total += Math.log1p((m - moments[i - 1]!) / 50);
    places.set(m, total);
  });
  return { at: (m) => places.get(m) ?? 0, total: total || 1 };
}
