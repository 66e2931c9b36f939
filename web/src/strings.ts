// All words that the widget itself says, in one table. A host replaces any of them through the property `strings`; {name}
// stands for a value, and a function serves languages that need more than that.

import { cardEnglish, inWords, type Text, type Words } from "./card-strings.js";

export const english = {
  ...cardEnglish,

  // The chat.
  log: "Conversation",
  you: "You",
  assistant: "Assistant",
  placeholder: "Write a message",
  send: "Send",
  stop: "Stop",
  newConversation: "New conversation",
  empty: "Ask something to begin.",
  loading: "Loading the conversation…",
  thinking: "Working…",
  copyAnswer: "Copy answer",
  copyCode: "Copy code",
  copied: "Copied",
  again: "Ask again",
  turnFailed: "This answer failed.",
  turnStopped: "You stopped this answer.",
  taskDone: "done:",
  taskOpen: "to do:",
  stopped: "You stopped watching this answer. What was begun may go on.",
  resume: "Show the rest",
  waiting: (w: Words) => (w["n"] === 1 ? "A question waits for you" : `${w["n"]} questions wait for you`),
  latest: "Latest message",
  unsent: "Not sent",
  lost: "The connection was lost. Trying again…",
  troubled: "{said} Trying again…",
  tryNow: "Try now",
  retry: "Try again",
  unreachable: "The server could not be reached. Check your connection and try again.",
  unreachableFrom: "The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",
  signedOut: "You are not signed in, or no longer. Sign in and try again.",
  forbidden: "You may not do this. Ask whoever runs this site for access.",
  tooMany: "That was too much at once. Wait a moment and try again.",
  failed: "Something went wrong at the server. Try again.",
  connectLink: "Connect",

  // Tool calls.
  tool: "Tool",
  toolCalls: "{n} tool calls",
  toolsDone: "all done",
  toolsFailed: "{n} failed",
  toolWriting: "preparing",
  toolRunning: "running",
  toolAsking: "waits for you",
  toolOthers: "waits for others",
  toolDone: "done",
  toolFailed: "failed",
  toolDenied: "denied",
  toolInput: "Input",
  toolOutput: "Result",
  toolError: "Error",
  image: "Image",
  imageGone: "{name} cannot be shown.",
  progressOf: "{done} of {total}",

  // Questions.
  connectTitle: "Connect {service}",
  visitTitle: "{service} asks you to open a page",
  approvalTitle: "{service} needs your approval",
  waitingTitle: "Others decide about {service}",
  approversHave: "Allowed by {have} of the {need} who are needed.",
  approverAllowed: "allowed it",
  approverDenied: "denied it",
  approverAsked: "is asked",
  approverLate: "did not answer in time",
  approverLeft: "is no longer asked",
  othersAllowed: "Allowed: {reason}.",
  othersDenied: "Not allowed: {reason}.",
  takenBack: "You took it back{place}.",
  takeBack: "Take it back",
  formTitle: "{service} asks you",
  someone: "A service without a name",
  says: "{service} says:",
  account: "You answer as",
  address: "You will go to",
  insecure: "This address is not encrypted: others on the network can read what you enter there.",
  unsafe: "The address of this question is not safe to open, so it is not offered. You can dismiss the question.",
  connect: "Connect",
  dismiss: "Dismiss",
  opened: "Continue in the window that has opened. This card closes when it is done.",
  blocked: "Your browser kept the window from opening.",
  sameWindow: "Open it in this window instead",
  confirming: "Done there. Waiting for the server to confirm…",
  noLimits: "Take the limits back",
  remark: "Say why, or ask back",
  sayWhy: "Say why",
  narrow: "Limits for a permission that stays",
  limitsUnused: "You set limits for a permission that stays. Press “{always}” to use them, or take them back.",
  always_allow: "Always allow",
  edit: "Change the arguments",
  asked_back: "Ask back",

  // Time.
  expiresAt: "Open until {time}",
  announce: "Question from {service}: {message}",

  // How it ended.
  connected: "Connected{place}.",
  notConnected: "Not connected: you dismissed it{place}.",
  visited: "Done{place}.",
  allowed_once: "You allowed it once{place}.",
  allowed_always: "You allowed it from now on{place}.",
  allowed_changed: "You allowed it with changes{place}.",
  allowed_as: "You chose{place}: {chosen}.",
  denied: "You denied it{place}.",
  asked_back_done: "You asked back{place}: the call was not made.",
  withdrawn: "No longer asked{reason}.",
  superseded: "A newer question has taken its place.",
  expired: "Expired. Nobody answered in time.",
  onPage: " on the hosted page",
  inSlack: " in Slack",
  elsewhere: " elsewhere",

  // What went wrong with an answer.
  answerSignedOut: "You are not signed in, or no longer. Sign in and answer again.",
  answerForbidden: "This question is not yours to answer, or it does not exist any more.",
  answerSettled: "Answered elsewhere in the meantime.",
} satisfies { [key: string]: Text };

export type Key = keyof typeof english;
export type Strings = { readonly [K in Key]: Text };

// Say returns the words for a key.
export type Say = (key: Key, words?: Words) => string;

export function sayer(own: Partial<Strings> | undefined): Say {
  return (key, words) => inWords(own?.[key] ?? english[key], words);
}
