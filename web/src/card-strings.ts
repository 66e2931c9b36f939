// The words of a card and of its fields: what is said wherever a question is drawn. {name} stands for a value, {name word} for as
// many of a thing, and a function serves languages that need more than that.

export type Words = { readonly [name: string]: string | number };
export type Text = string | ((words: Words) => string);

export const cardEnglish = {
  // Questions.
  toolLabel: "Tool",
  arguments: "Arguments",
  argumentLines: "Arguments, {n} lines",
  noArguments: "None",
  visit: "Open the page",
  decline: "Decline",
  submit: "Send answer",
  sending: "Sending…",
  openedTab: "Continue in the tab that has opened. This card closes when it is done.",
  openAgain: "Open it again",
  unsupported: "This question cannot be shown here.",
  hosted: "Answer it on its own page",
  allow_once: "Allow once",
  deny: "Deny",

  // Time.
  expiresIn: "{time} left",
  secondsLeft: (w: Words) => inWords(`{time ${+w["n"]! < 60 ? "second" : "minute"}} left to answer {service}.`, { ...w, time: +w["n"]! < 60 ? w["n"]! : +w["n"]! / 60 }),

  // How it ended.
  answered: "Answered{place}.",
  declined: "Declined{place}.",
  cancelled: "Cancelled{place}.",

  // What went wrong with an answer.
  answerUnreachable: "The answer could not be sent. Check your connection and try again.",
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
  hintDefault: "Empty sends its default, which has too many digits to show.",
  from: "From {low} to {high}",
  atLeast: "At least {low}",
  atMost: "At most {high}",
  exactly: "Exactly {low}",

  errorRequired: "{label} is required.",
  errorDefault: "{label} cannot be left empty; its default is {n}.",
  errorNumber: "{label} must be a number.",
  errorInteger: "{label} must be a whole number.",
  errorDigits: "{label} has too many digits to be sent exactly.",
  errorMinimum: "{label} must be at least {n}.",
  errorMaximum: "{label} must be at most {n}.",
  errorMinLength: "{label} must be at least {n character} long.",
  errorMaxLength: "{label} must be at most {n character} long.",
  errorEmail: "{label} must be an email address such as name@example.com.",
  errorUri: "{label} must be a full address such as https://example.com/page.",
  errorDate: "{label} must be a date such as 2026-01-31.",
  errorDateTime: "{label} must be a date and time.",
  errorMinItems: "{label} must have at least {n choice}.",
  errorMaxItems: "{label} must have at most {n choice}.",
} satisfies { [key: string]: Text };

// CardSay returns the words for a key of a card.
export type CardSay = (key: keyof typeof cardEnglish, words?: Words) => string;

// inWords puts values into a text.
export function inWords(text: Text, words: Words = {}): string {
  if (typeof text === "function") return text(words);
  return text.replace(/\{(\w+)( \w+)?\}/g, (whole, name: string, noun = "") => (name in words ? words[name] + noun + (noun && words[name] !== 1 ? "s" : "") : whole));
}
