// A question, as the server's tools for the app send it.

import { webLink } from "./address.js";
import { list, object, text, type Json } from "./json.js";

export interface Ask {
  elicitId: string;
  state: string; // pending, settled or none
  outcome: string;
  words: string;
  nonce: string;
  title: string;
  message: string;
  schema: Json | undefined;
  order: readonly string[]; // of the fields
  approval: Call | undefined;
  here: boolean; // it may be answered here
  page: string; // where it may be answered by who is signed in; of the web, or empty
  expires: string;
  now: string;
  violations: readonly Violation[];
  problem: string;
  next: unknown;
}

export interface Call {
  tool: string;
  server: string;
  arguments: string; // JSON
}

export interface Violation {
  field: string;
  message: string;
}

// texts are the members of an object that are texts; any other is an empty one.
const texts = <K extends string>(source: Json, names: readonly K[]) => Object.fromEntries(names.map((name) => [name, text(source[name]) ?? ""])) as { [N in K]: string };

export function readAsk(value: unknown): Ask | undefined {
  const ask = object(value);
  if (!ask || !text(ask["state"])) return undefined;
  const read = texts(ask, ["elicitId", "state", "outcome", "words", "nonce", "title", "message", "page", "expires", "now", "problem"]);
  const call = object(ask["approval"]);
  return {
    ...read,
    page: webLink(read.page) ?? "",
    schema: object(ask["schema"]),
    order: list(ask["fieldOrder"]).map(String),
    approval: call && readCall(call),
    here: ask["answer"] !== "page",
    violations: list(ask["violations"]).map((v) => texts(object(v) ?? {}, ["field", "message"])),
    next: ask["next"],
  };
}

// Arguments that come as a text have every digit that the call has; an object has been read by the host.
function readCall(call: Json): Call {
  const args = call["arguments"];
  return {
    ...texts(call, ["tool", "server"]),
    arguments: text(args) ?? JSON.stringify(args) ?? "",
  };
}
