// Questions as the management API has them, and as the question element takes them.

import { list, object, text, textual, type Json } from "./json.js";
import { forOthers, readQuestion, type Question } from "./wire.js";

export interface Item {
  id: string;
  pending: boolean;
  createdAt: string;
  asker?: string | undefined; // whose call it is, where that is somebody else's, as people know them
  asks: boolean; // the asker asks; no service does for them
  conversation?: string | undefined;
  others: boolean; // it waits for other people, and only tells so
  long: boolean; // the whole of it is on its own page
  final?: string | undefined; // of an approval by several: what came of it, allow or deny
  request: Json; // for the question element
  question: Question;
}

const programs = "parley-program:"; // before the name of one, where others have that of a person
const strangers = /^mcp-(session|call):.*/s; // the name of one, which says nothing

export interface Page {
  items: Item[];
  next?: string | undefined; // the cursor
}

export function readPage(value: unknown, origin: string): Page {
  const data = object(value) ?? {};
  return { items: list(data["items"]).flatMap((one) => readItem(one, origin) ?? []), next: text(data["next_cursor"]) };
}

// readItem reads a question; what has no id or another shape is none.
export function readItem(value: unknown, origin: string): Item | undefined {
  const data = object(value);
  const id = text(data?.["id"]);
  if (!data || !id) return undefined;
  const labels = object(data["labels"]) ?? {};
  const label = (name: string) => text(labels[name]);
  const brief = label("brief");
  const request = brief === undefined ? whole(data, labels, origin) : abridged(data, labels, brief, `${origin}/answer/${id}`);
  const question = readQuestion(request);
  if (!question) return undefined;
  return {
    id,
    pending: data["state"] === "pending",
    createdAt: text(data["created_at"]) ?? "",
    asker: label("asker") === text(data["to"]) ? undefined : label("asker")?.replace(programs, "the program ").replace(strangers, "somebody who is not signed in"),
    asks: label("ask") !== undefined || label("asker")?.startsWith(programs) === true,
    conversation: text(data["session"]),
    others: forOthers(question.context),
    long: brief !== undefined,
    final: text(object(data["outcome"])?.["final"]),
    request,
    question,
  };
}

function whole(data: Json, labels: Json, origin: string): Json {
  const own = text(data["url"])?.startsWith(`${origin}/`);
  return {
    elicitationId: data["id"],
    mode: data["mode"],
    message: data["message"],
    url: data["url"],
    requestedSchema: textual(data["requested_schema"]),
    expiresAt: data["expires_at"],
    context: {
      trigger: data["trigger"],
      service: data["from"],
      serviceTitle: labels["title"],
      account: data["to"],
      server: labels["server"],
      tool: labels["tool"],
      settledBy: own ? "page" : labels["settled_by"],
    },
    approvers: data["approvers"],
    outcome: outcomeOf(data["outcome"]),
  };
}

// abridged makes of a call that is too long for a card a link to its page.
function abridged(data: Json, labels: Json, brief: string, page: string): Json {
  return { ...whole({ ...data, url: page }, labels, new URL(page).origin), mode: "url", message: brief, requestedSchema: undefined };
}

// outcomeOf has the decision of an approval: an approval that was denied was answered, so its action is accept.
function outcomeOf(value: unknown): Json | undefined {
  const outcome = object(value);
  return outcome && { ...outcome, decision: outcome["decision"] ?? object(outcome["content"])?.["decision"] };
}
