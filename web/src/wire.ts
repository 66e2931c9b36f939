// What the server sends, as far as the widget knows it. Everything here reads defensively: what has another shape than
// expected is left out, and what is unknown is ignored, so that a newer server never breaks an older page.

import { list, object, text, textual, written, type Json } from "./json.js";

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
  approvers?: Panel | undefined; // whom it waits for, while it does
  outcome?: Outcome | undefined;
}

// Panel is whom a call waits for.
export interface Panel {
  need: number;
  people: readonly Approver[];
}

export interface Approver {
  name: string;
  decision?: string | undefined;
  late: boolean; // nothing came of it, and nothing will
  withdrawn: boolean; // since they were no longer asked
}

export type ToolState = "writing" | "running" | "asking" | "others" | "done" | "failed" | "denied";

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
  content?: Piece[]; // what the result has besides text
  progress?: Progress | undefined; // how far the call is, while it is under way
}

// Piece is a picture, or a link.
export interface Piece {
  type: string;
  id?: string | undefined; // of a picture: by which the server has it
  name?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  url?: string | undefined;
  uri?: string | undefined;
}

export interface Progress {
  done: number;
  total?: number | undefined;
  message?: string | undefined;
  service?: string | undefined;
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

// forOthers reports whether a question only tells that other people are asked.
export const forOthers = ({ trigger }: Context) => trigger === "approvers";

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
    requestedSchema: textual(data["requestedSchema"]),
    fieldOrder: data["fieldOrder"] === undefined ? undefined : list(data["fieldOrder"]).flatMap((name) => text(name) ?? []),
    expiresAt: text(data["expiresAt"]),
    context: readContext(object(data["context"]) ?? {}),
    approvers: readPanel(data["approvers"]),
    outcome: readOutcome(data["outcome"]),
  };
}

function readPanel(value: unknown): Panel | undefined {
  const data = object(value);
  const need = data?.["need"];
  if (!data || typeof need !== "number") return undefined;
  const people = list(data["people"]).flatMap((one) => {
    const person = object(one);
    const name = text(person?.["name"]);
    if (!person || !name) return [];
    const decision = text(person["decision"]);
    return [{ name, decision, late: decision === undefined && text(person["at"]) !== undefined, withdrawn: text(person["withdrawn"]) !== undefined }];
  });
  return { need, people };
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
    arguments: args === undefined ? args : written(args),
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
    else ofTool(parts, text(object(entry)?.["type"]) ?? "", object(entry)?.["data"]);
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

// ofTool takes data about a call into its part; what is about no call that is there is left out.
export function ofTool(parts: readonly Part[], type: string, value: unknown): void {
  const data = object(value);
  const tool = parts.find((p): p is ToolPart => p.kind === "tool" && p.id === data?.["toolCallId"]);
  if (!data || !tool) return;
  const number = (v: unknown) => (typeof v === "number" && Number.isFinite(v) ? v : undefined);
  switch (type) {
    case "data-tool-title":
      tool.title = text(data["title"]) ?? tool.title;
      tool.service = text(data["service"]);
      tool.serviceTitle = text(data["serviceTitle"]);
      break;
    case "data-tool-content":
      tool.content = list(data["items"]).slice(0, most).flatMap(readPiece);
      break;
    case "data-tool-progress":
      tool.progress = {
        done: number(data["progress"]) ?? 0,
        total: number(data["total"]),
        message: text(data["message"]),
        service: text(data["serviceTitle"]) ?? text(data["service"]),
      };
  }
}

const most = 50; // pieces of one result

function readPiece(value: unknown): Piece[] {
  const data = object(value);
  const type = text(data?.["type"]);
  if (!data || !type) return [];
  const piece = (name: string) => text(data[name]);
  return [{ type, id: piece("id"), name: piece("name"), title: piece("title"), description: piece("description"), url: piece("url"), uri: piece("uri") }];
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
