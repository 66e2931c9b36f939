// How a question ended, in a sentence.

import type { Ending } from "./card-frame.js";
import { line } from "./legible.js";
import { readFields, type Field } from "./schema.js";
import type { Say } from "./strings.js";
import type { Outcome, Question } from "./wire.js";

// Here is what this card knows beyond the outcome.
export interface Here {
  answered: boolean; // through this card
  decision?: string | undefined; // of an approval
  chosen?: string | undefined; // the same in the words of its buttons, with what limits it
  watched: boolean; // the card was open when it ended
}

export function ending(question: Question, outcome: Outcome, here: Here, say: Say): Ending {
  const place = where(outcome, here, say);
  const connecting = question.context.trigger === "credential_required";
  if (question.context.trigger === "approvers") return approversSaid(outcome, place, say);
  switch (outcome.action) {
    case "accept":
      if (here.answered && here.decision !== undefined) return decided(here.decision, here.chosen, "", say);
      if (outcome.decision !== undefined) return decided(outcome.decision, inWords(question, outcome), place, say);
      if (connecting) return { tone: "good", sentence: say("connected", { place }) };
      return { tone: "good", sentence: say(question.mode === "url" ? "visited" : "answered", { place }) };
    case "decline":
      return { tone: "bad", sentence: say(connecting ? "notConnected" : "declined", { place }) };
    case "expire":
      return { tone: "neutral", sentence: say("expired") };
  }
  if (outcome.by) return { tone: "neutral", sentence: say("cancelled", { place }) };
  return withdrawn(outcome, say);
}

// withdrawn says why nobody is asked any more, such as "withdrawn: answered by bob".
function withdrawn({ reason = "" }: Outcome, say: Say): Ending {
  return { tone: "neutral", sentence: say(reason === "superseded" ? reason : "withdrawn", { reason: line(/: .*/s.exec(reason)?.[0] ?? "") }) };
}

// approversSaid is how the waiting for others ended. The reason is the server's own.
function approversSaid(outcome: Outcome, place: string, say: Say): Ending {
  if (outcome.action === "expire") return { tone: "neutral", sentence: say("expired") };
  if (outcome.by) return { tone: "neutral", sentence: say("takenBack", { place }) };
  const reason = line(outcome.reason ?? "");
  if (outcome.action === "accept") return { tone: "good", sentence: say("othersAllowed", { reason }) };
  if (outcome.action === "decline") return { tone: "bad", sentence: say("othersDenied", { reason }) };
  return withdrawn(outcome, say);
}

// inWords is what was decided, in the words of the buttons.
function inWords(question: Question, { decision, limits }: Outcome): string {
  return chosenLabels(readFields(question.requestedSchema) ?? [], { ...limits, decision });
}

// chosenLabels are the words of what was chosen, as far as the service has words for it.
export function chosenLabels(fields: readonly Field[], content: { readonly [field: string]: unknown }): string {
  const labels = fields.flatMap(({ name, options }) => options.find((o) => o.value === content[name] && o.label !== o.value)?.label ?? []);
  return labels.map(line).join(" · ");
}

function decided(decision: string, chosen: string | undefined, place: string, say: Say): Ending {
  switch (decision) {
    case "allow_once":
      return { tone: "good", sentence: say("allowed_once", { place }) };
    case "always_allow":
      return { tone: "good", sentence: chosen ? say("allowed_as", { chosen, place }) : say("allowed_always", { place }) };
    case "changed":
      return { tone: "good", sentence: say("allowed_changed", { place }) };
    case "asked_back":
      return { tone: "neutral", sentence: say("asked_back_done", { place }) };
    case "deny":
      return { tone: "bad", sentence: say("denied", { place }) };
  }
  return { tone: "good", sentence: say("answered", { place }) };
}

// where says which way an answer came, if not through this card. After a reload the card no longer knows what went
// through it, so an answer in the chat is then said to be nowhere else.
function where(outcome: Outcome, here: Here, say: Say): string {
  if (here.answered) return "";
  switch (outcome.via) {
    case "page":
      return say("onPage");
    case "slack":
      return say("inSlack");
    case undefined:
    case "chat":
      return here.watched ? say("elsewhere") : "";
  }
  return say("elsewhere");
}
