// All words that the widget itself says, in one table. A host replaces any of them through the property `strings`; {name}
// stands for a value, and a function serves languages that need more than that.

export type Words = { readonly [name: string]: string | number };
export type Text = string | ((words: Words) => string);

const counted = (noun: string) => (w: Words) => (w["n"] === 1 ? `1 ${noun}` : `${w["n"]} ${noun}s`);
const characters = counted("character");
const choices = counted("choice");
const span = (n: number) => (n < 60 ? counted("second")({ n }) : counted("minute")({ n: n / 60 }));

export const english = {
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
  toolLabel: "Tool",
  arguments: "Arguments",
  argumentLines: "Arguments, {n} lines",
  noArguments: "None",
  address: "You will go to",
  insecure: "This address is not encrypted: others on the network can read what you enter there.",
  unsafe: "The address of this question is not safe to open, so it is not offered. You can dismiss the question.",
  connect: "Connect",
  visit: "Open the page",
  dismiss: "Dismiss",
  decline: "Decline",
  submit: "Send answer",
  sending: "Sending…",
  opened: "Continue in the window that has opened. This card closes when it is done.",
  openedTab: "Continue in the tab that has opened. This card closes when it is done.",
  blocked: "Your browser kept the window from opening.",
  sameWindow: "Open it in this window instead",
  openAgain: "Open it again",
  confirming: "Done there. Waiting for the server to confirm…",
  unsupported: "This question cannot be shown here.",
  hosted: "Answer it on its own page",
  allow_once: "Allow once",
  noLimits: "Take the limits back",
  remark: "Say why, or ask back",
  sayWhy: "Say why",
  narrow: "Limits for a permission that stays",
  limitsUnused: "You set limits for a permission that stays. Press “{always}” to use them, or take them back.",
  always_allow: "Always allow",
  edit: "Change the arguments",
  deny: "Deny",
  asked_back: "Ask back",

  // Time.
  expiresIn: "{time} left",
  expiresAt: "Open until {time}",
  secondsLeft: (w: Words) => `${span(Number(w["n"]))} left to answer ${w["service"]}.`,
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
  answered: "Answered{place}.",
  declined: "Declined{place}.",
  cancelled: "Cancelled{place}.",
  withdrawn: "No longer asked{reason}.",
  superseded: "A newer question has taken its place.",
  expired: "Expired. Nobody answered in time.",
  onPage: " on the hosted page",
  inSlack: " in Slack",
  elsewhere: " elsewhere",

  // What went wrong with an answer.
  answerUnreachable: "The answer could not be sent. Check your connection and try again.",
  answerSignedOut: "You are not signed in, or no longer. Sign in and answer again.",
  answerForbidden: "This question is not yours to answer, or it does not exist any more.",
  answerSettled: "Answered elsewhere in the meantime.",
  answerFailed: "The server could not take the answer. Try again.",
  answerInvalid: "Please correct what is marked.",

  // Fields.
  required: "required",
  choose: "Choose…",
  yes: "Yes",
  no: "No",
  emptyOption: "(empty)",
  noAnswer: "No answer",
  localTime: "Your local time, UTC{offset}",
  error: "Error:",
  hintLength: "{range} characters",
  hintChoices: "Choose {range}",
  from: "From {low} to {high}",
  atLeast: "At least {low}",
  atMost: "At most {high}",
  exactly: "Exactly {low}",

  errorRequired: "{label} is required.",
  errorNumber: "{label} must be a number.",
  errorInteger: "{label} must be a whole number.",
  errorDigits: "{label} has too many digits to be sent from here exactly.",
  errorMinimum: "{label} must be at least {n}.",
  errorMaximum: "{label} must be at most {n}.",
  errorMinLength: (w: Words) => `${w["label"]} must be at least ${characters(w)} long.`,
  errorMaxLength: (w: Words) => `${w["label"]} must be at most ${characters(w)} long.`,
  errorPattern: "{label} does not have the form that is asked for.",
  errorEmail: "{label} must be an email address such as name@example.com.",
  errorUri: "{label} must be a full address such as https://example.com/page.",
  errorDate: "{label} must be a date such as 2026-01-31.",
  errorDateTime: "{label} must be a date and time.",
  errorMinItems: (w: Words) => `${w["label"]} must have at least ${choices(w)}.`,
  errorMaxItems: (w: Words) => `${w["label"]} must have at most ${choices(w)}.`,
} satisfies { [key: string]: Text };

export type Key = keyof typeof english;
export type Strings = { readonly [K in Key]: Text };

// Say returns the words for a key.
export type Say = (key: Key, words?: Words) => string;

export function sayer(own: Partial<Strings> | undefined): Say {
  return (key, words = {}) => {
    const text: Text = own?.[key] ?? english[key];
    if (typeof text === "function") return text(words);
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in words ? String(words[name]) : whole));
  };
}
