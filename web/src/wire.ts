// What the server sends, as far as the widget knows it. Everything here reads defensively: what has another shape than
// expected is left out, and what is unknown is ignored, so that a newer server never breaks an older page.

import { list, object, text, type Json } from "./json.js";

export type Action = "accept" | "decline" | "cancel";

export interface Outcome {
  action: Action | "expire";
  by?: string | undefined;
  via?: string | undefined;
  reason?: string | undefined;
  at?: string | undefined;
  decision?: string | undefined; // of an approval
  limits?: { readonly [field: string]: string } | undefined; // of a permission that stays
}

export interface Context {
  trigger?: string | undefined;
  service?: string | undefined;
  serviceTitle?: string | undefined; // as its operator calls it
  account?: string | undefined;
  tool?: string | undefined;
  toolCallId?: string | undefined;
  parentToolCallId?: string | undefined; // of a delegate's question: the call of this message that waits for it
  arguments?: string | undefined;
  server?: string | undefined; // of an approval: which server's tool; then the message is the program's own words
  domain?: string | undefined; // the registrable part of the url's host, if the server says it
  settledBy?: string | undefined; // "page": going to the url is not the answer, that page settles the question
}

// Question is the data of a data-elicitation-request part.
export interface Question {
  elicitationId: string;
  mode: "form" | "url";
  message: string;
  url?: string | undefined;
  requestedSchema?: unknown;
  fieldOrder?: readonly string[] | undefined; // that of the schema, where an object would lose it
  expiresAt?: string | undefined;
  context: Context;
  outcome?: Outcome | undefined;
}

export type ToolState = "writing" | "running" | "asking" | "done" | "failed" | "denied";

export type Part =
  | { kind: "text"; id: string; text: string; open: boolean }
  | ToolPart
  | { kind: "question"; id: string; question: Question }
  | { kind: "notice"; id: string; text: string; link?: string | undefined }
  | Mark;

export interface ToolPart {
  kind: "tool";
  id: string;
  name: string;
  title?: string | undefined; // how people know it
  service?: string | undefined;
  serviceTitle?: string | undefined;
  state: ToolState;
  input?: string;
  output?: string;
  error?: string;
}

// Mark is what a turn leaves that did not come to its own end.
export interface Mark {
  kind: "mark";
  id: string;
  how: "failed" | "stopped";
  text: string; // what the server says of it
  code?: string | undefined;
}

// tooLong is the code of a turn that failed because another conversation has to be begun.
export const tooLong = "conversation_too_long";

export interface Message {
  id: string;
  role: "user" | "assistant";
  parts: Part[];
  status?: "sending" | "failed" | undefined; // of a person's message that the server has not taken yet
}

// serviceOf is who asks, as people know them.
export function serviceOf(question: Question | undefined): string {
  return question?.context.serviceTitle?.trim() || question?.context.service?.trim() || "";
}

export function readQuestion(value: unknown): Question | undefined {
  const data = object(value);
  const elicitationId = text(data?.["elicitationId"]);
  const mode = data?.["mode"];
  if (!data || !elicitationId || (mode !== "form" && mode !== "url")) return undefined;
  return {
    elicitationId,
    mode,
    message: text(data["message"]) ?? "",
    url: text(data["url"]),
    requestedSchema: data["requestedSchema"],
    fieldOrder: data["fieldOrder"] === undefined ? undefined : list(data["fieldOrder"]).flatMap((name) => text(name) ?? []),
    expiresAt: text(data["expiresAt"]),
    context: readContext(object(data["context"]) ?? {}),
    outcome: readOutcome(data["outcome"]),
  };
}

function readContext(context: Json): Context {
  const args = context["arguments"];
  return {
    trigger: text(context["trigger"]),
    service: text(context["service"]),
    serviceTitle: text(context["serviceTitle"]),
    account: text(context["account"]),
    tool: text(context["tool"]),
    toolCallId: text(context["toolCallId"]),
    parentToolCallId: text(context["parentToolCallId"]),
    arguments: typeof args === "string" || args === undefined ? args : JSON.stringify(args),
    server: text(context["server"]),
    domain: text(context["domain"]),
    settledBy: text(context["settledBy"]),
  };
}

function readOutcome(value: unknown): Outcome | undefined {
  const data = object(value);
  if (!data) return undefined;
  const limits = Object.entries(object(data["limits"]) ?? {}).flatMap(([field, value]) => (typeof value === "string" ? [[field, value] as const] : []));
  const outcome = {
    via: text(data["via"]),
    reason: text(data["reason"]),
    at: text(data["at"]),
    decision: text(data["decision"]),
    limits: limits.length > 0 ? Object.fromEntries(limits) : undefined,
  };
  const action = data["action"];
  const known = action === "accept" || action === "decline" || action === "cancel" || action === "expire";
  // Some new way to end is an end all the same: nobody waits for an answer any more.
  return known ? { action, by: text(data["by"]), ...outcome } : { action: "cancel", ...outcome };
}

// History is a conversation as GET /run/api/chat/{id} returns it.
export interface History {
  messages: Message[];
  active: boolean;
  activeMessages: string[]; // the answers that are not complete, the oldest first; the last is the current one
}

export function readHistory(value: unknown): History {
  const data = object(value) ?? {};
  const messages: Message[] = [];
  list(data["messages"]).forEach((entry, i) => {
    const message = readMessage(entry, i);
    if (message) messages.push(message);
  });
  const ids = list(data["activeMessages"]).flatMap((id) => text(id) ?? []);
  return { messages, active: data["active"] === true, activeMessages: ids };
}

function readMessage(value: unknown, place: number): Message | undefined {
  const data = object(value);
  const role = data?.["role"];
  if (!data || (role !== "user" && role !== "assistant")) return undefined;
  const parts: Part[] = [];
  list(data["parts"]).forEach((entry, i) => {
    const part = readPart(object(entry) ?? {}, i);
    if (part) parts.push(part);
  });
  // A message that only carries an answer has nothing to show.
  if (parts.length === 0) return undefined;
  return { id: text(data["id"]) ?? `history-${place}`, role, parts };
}

function readPart(part: Json, place: number): Part | undefined {
  const type = text(part["type"]) ?? "";
  if (type === "text") {
    const said = text(part["text"]);
    return said ? { kind: "text", id: `text-${place}`, text: said, open: false } : undefined;
  }
  if (type.startsWith("data-")) return readData(type, part["data"], text(part["id"]) ?? `data-${place}`);
  if (type === "dynamic-tool" || type.startsWith("tool-")) return readTool(type, part);
  return undefined;
}

// readData reads a data part that the widget shows; the same shape comes on the stream and in the history.
export function readData(type: string, value: unknown, id: string): Part | undefined {
  const data = object(value);
  switch (type) {
    case "data-elicitation-request": {
      const question = readQuestion(value);
      return question && { kind: "question", id: question.elicitationId, question };
    }
    case "data-warning": {
      const said = text(data?.["message"]);
      const how = data?.["ended"];
      if (how === "failed" || how === "stopped") return { kind: "mark", id: "mark", how, text: said ?? "", code: text(data?.["code"]) };
      return said ? { kind: "notice", id, text: said } : undefined;
    }
    case "data-tool-auth-required": {
      const said = text(data?.["message"]);
      return said ? { kind: "notice", id, text: said, link: text(data?.["authLink"]) } : undefined;
    }
  }
  return undefined;
}

const states: { readonly [state: string]: ToolState } = {
  "input-streaming": "writing",
  "input-available": "running",
  "approval-requested": "asking",
  "approval-responded": "running",
  "output-available": "done",
  "output-error": "failed",
  "output-denied": "denied",
};

function readTool(type: string, part: Json): Part | undefined {
  const id = text(part["toolCallId"]);
  if (!id) return undefined;
  const name = type === "dynamic-tool" ? text(part["toolName"]) : type.slice("tool-".length);
  const tool: ToolPart = {
    kind: "tool",
    id,
    name: name ?? "",
    title: text(part["title"]),
    service: text(part["service"]),
    serviceTitle: text(part["serviceTitle"]),
    state: states[text(part["state"]) ?? ""] ?? "running",
  };
  if (part["input"] !== undefined) tool.input = written(part["input"]);
  if (part["output"] !== undefined) tool.output = written(part["output"]);
  const error = text(part["errorText"]);
  if (error !== undefined) tool.error = error;
  return tool;
}

// written is a value of a tool call as text.
export function written(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
