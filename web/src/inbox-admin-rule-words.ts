// What a rule says beside which calls it is for: how long, to whom next, and what may be answered.

import { list, object, text, type Json } from "./json.js";
import { line } from "./legible.js";

const units = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const;

// lasting is a number of seconds in words.
export function lasting(seconds: number): string {
  const [name, size] = units.find(([, one]) => seconds % one === 0 && seconds >= one) ?? ["second", 1];
  return `${seconds / size} ${name}${seconds === size ? "" : "s"}`;
}

const words: { readonly [choice: string]: string } = { allow_once: "allow once", always_allow: "always allow", changed: "allow with changes", deny: "deny", asked_back: "ask back" };

// further are the sentences about a rule that not every rule has.
export function further(rule: Json): string[] {
  const ttl = rule["ttl_seconds"];
  const choices = list(rule["choices"]).flatMap((c) => text(c) ?? []).filter((c) => c !== "deny");
  const stages = list(rule["escalate"]).flatMap((one) => stage(object(one)));
  return [
    typeof ttl === "number" && ttl > 0 ? `Who is asked has ${lasting(ttl)}.` : "",
    stages.length > 0 ? `Then it also asks ${stages.join(", ")}.` : "",
    rule["page"] === true ? "It is decided on its signed-in page, and nowhere else." : "",
    text(rule["slack"]) ? `The approvers are asked in the Slack channel ${line(text(rule["slack"])!)}.` : "",
    rule["sign"] === "passkey" ? "Who allows such a call signs it with a passkey, on its page." : "",
    choices.length > 0 ? `Who is asked may say: ${[...choices, "deny"].map((c) => words[c] ?? line(c)).join(", ")}.` : "",
  ].filter((s) => s !== "");
}

// stage is one step of an escalation: whom it asks, and when.
function stage(one: Json | undefined): string[] {
  const whom = list(one?.["to"]).flatMap((name) => text(name) ?? []);
  const after = one?.["after_seconds"];
  return whom.length > 0 && typeof after === "number" ? [`${whom.map(line).join(" and ")} after ${lasting(after)}`] : [];
}
