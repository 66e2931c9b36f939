// What goes over the wire, as docs/asking.md has it.

/** A flat JSON schema, as MCP has it for forms. */
export type Schema = { type: "object"; properties: Record<string, unknown>; required?: string[] };

/** A question. Whom it is for is `to`, or a `group` of the configuration of whom `need` answer. */
export type Ask = ({ to: string } | { group: string; need?: number }) & {
  /** Who asks, in your own words; shown in quotes behind the name of your key. */
  from?: string;
  labels?: Record<string, string>;
  /** How long it is open, such as "24h" or "7d". */
  ttl?: string;
  /** The same question under the same key is asked once. Default: a new one. */
  idempotency_key?: string;
  callback_url?: string;
} & (
    | { message: string; requested_schema?: Schema }
    | { message: string; url: string }
    | { message?: string; action: { title: string; details?: Record<string, unknown> } }
  );

export type Action = "accept" | "decline" | "cancel" | "expire";
export type Decision = "allow_once" | "always_allow" | "deny" | "changed" | "asked_back";

export interface Answer<T> {
  decision?: Decision;
  by: string;
  via?: string;
  at: string;
  content?: T;
}

export interface Outcome<T> {
  action: Action;
  /** Of an approval. One that was denied was answered: its action is accept. */
  decision?: Decision;
  by?: string;
  via?: string;
  reason?: string;
  at: string;
  content?: T;
  content_private?: boolean;
  /** Of a group of whom several are needed, in their order. */
  answers?: Answer<T>[];
}

export interface Question<T = Record<string, unknown>> {
  id: string;
  state: "pending" | "settled";
  to?: string;
  group?: string;
  need?: number;
  from?: string;
  mode: "form" | "url";
  message: string;
  requested_schema?: Schema;
  url?: string;
  answer_url?: string;
  trigger: string;
  labels?: Record<string, string>;
  created_at: string;
  expires_at: string;
  outcome?: Outcome<T>;
}

/** What the server refused, with its reason for each member that is wrong. */
export class ParleyError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly errors: { location: string; message: string }[] = [],
    /** Seconds to wait before it is tried again, if the server said so. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = "ParleyError";
  }
}
