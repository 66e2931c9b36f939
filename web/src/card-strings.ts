// The words of a card and of its fields: what is said wherever a question is drawn. {name} stands for a value, and a
// function serves languages that need more than that.

export type Words = { readonly [name: string]: string | number };
export type Text = string | ((words: Words) => string);

const counted = (noun: string) => (w: Words) => (w["n"] === 1 ? `1 ${noun}` : `${w["n"]} ${noun}s`);
const characters = counted("character");
const choices = counted("choice");
const span = (n: number) => (n < 60 ? counted("second")({ n }) : counted("minute")({ n: n / 60 }));

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
  secondsLeft: (w: Words) => `${span(Number(w["n"]))} left to answer ${w["service"]}.`,

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
  errorMinLength: (w: Words) => `${w["label"]} must be at least ${characters(w)} long.`,
  errorMaxLength: (w: Words) => `${w["label"]} must be at most ${characters(w)} long.`,
  errorEmail: "{label} must be an email address such as name@example.com.",
  errorUri: "{label} must be a full address such as https://example.com/page.",
  errorDate: "{label} must be a date such as 2026-01-31.",
  errorDateTime: "{label} must be a date and time.",
  errorMinItems: (w: Words) => `${w["label"]} must have at least ${choices(w)}.`,
  errorMaxItems: (w: Words) => `${w["label"]} must have at most ${choices(w)}.`,
} satisfies { [key: string]: Text };

// CardSay returns the words for a key of a card.
export type CardSay = (key: keyof typeof cardEnglish, words?: Words) => string;

// inWords puts values into a text.
export function inWords(text: Text, words: Words = {}): string {
  if (typeof text === "function") return text(words);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in words ? String(words[name]) : whole));
}
