// Questions of every kind, as the server sends them.

import type { Json } from "./record.js";

const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString();

export function connect(url: string, more: Json = {}): Json {
  return {
    elicitationId: "q-connect",
    mode: "url",
    message: "To look at your issues I need access to your account.",
    url: `${url}/auth/connect?elicitation_id=q-connect`,
    expiresAt: inTenMinutes(),
    context: { trigger: "credential_required", service: "tracker", account: "alice" },
    ...more,
  };
}

export const callArguments =
  '{"assignee":"alice","attachments":[{"name":"trace.txt","size":18446744073709551615},{"name":"screen.png","size":4096}],' +
  '"body":"The page stays empty after a sign-in with a long name.\\n\\nSteps:\\n1. Sign in\\n2. Reload","labels":["bug","urgent"],' +
  '"notify":true,"priority":2,"project":"website","settings":{},"title":"Blank page after sign-in","watchers":[]}';

export function approval(more: Json = {}): Json {
  return {
    elicitationId: "q-approval",
    mode: "form",
    message: "The assistant wants to create an issue in your name.",
    requestedSchema: {
      type: "object",
      properties: { decision: { type: "string", title: "Decision", enum: ["allow_once", "always_allow", "deny"] } },
      required: ["decision"],
    },
    expiresAt: inTenMinutes(),
    context: { trigger: "tool_approval", service: "tracker", account: "alice", tool: "create_issue", toolCallId: "call-1", arguments: callArguments },
    ...more,
  };
}

export const everyKind: Json = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", description: "As it stands on the invoice", minLength: 2, maxLength: 40 },
    mail: { type: "string", title: "Email", format: "email" },
    site: { type: "string", title: "Web site", format: "uri" },
    code: { type: "string", title: "Cost centre", pattern: "^[A-Z]{2}\\d{3}$", description: "Two letters and three digits" },
    day: { type: "string", title: "Day", format: "date", default: "2026-03-01" },
    moment: { type: "string", title: "Departure", format: "date-time" },
    amount: { type: "number", title: "Amount", minimum: 0.5, maximum: 5000 },
    people: { type: "integer", title: "People", minimum: 1, maximum: 9, default: 2 },
    newsletter: { type: "boolean", title: "Send me the newsletter", default: true },
    terms: { type: "boolean", title: "Do you accept the terms?" },
    size: { type: "string", title: "Size", enum: ["s", "m", "l"], default: "m" },
    colour: { type: "string", title: "Colour", oneOf: [{ const: "r", title: "Red" }, { const: "g", title: "Green" }] },
    legacy: { type: "string", title: "Class", enum: ["1", "2"], enumNames: ["First", "Second"] },
    country: { type: "string", title: "Country", enum: ["at", "be", "ch", "de", "dk", "es", "fr", "it", "nl"] },
    extras: { type: "array", title: "Extras", items: { type: "string", enum: ["meal", "seat", "bag"] }, minItems: 1, maxItems: 2 },
    topics: { type: "array", title: "Topics", items: { anyOf: [{ const: "a", title: "Art" }, { const: "b", title: "Books" }] }, default: ["b"] },
    remarks: { type: "string", title: "Remarks", maxLength: 2000 },
  },
  required: ["name", "mail", "amount", "terms", "extras"],
};

export function form(schema: Json = everyKind, more: Json = {}): Json {
  return {
    elicitationId: "q-form",
    mode: "form",
    message: "Please complete the booking.",
    requestedSchema: schema,
    expiresAt: inTenMinutes(),
    context: { trigger: "mcp_elicitation", service: "travel", account: "alice" },
    ...more,
  };
}

export const small: Json = {
  type: "object",
  properties: {
    reason: { type: "string", title: "Reason", minLength: 5, description: "Finance reads it" },
    amount: { type: "number", title: "Amount", minimum: 1 },
  },
  required: ["reason", "amount"],
};
