// The words of the app besides those of every card.

import { cardEnglish, inWords, type Words } from "./card-strings.js";

const english = {
  ...cardEnglish,
  loading: "Loading the question…",
  notLoaded: "The question could not be loaded.",
  retry: "Try again",
  cancel: "Cancel",
  untitled: "A question for you",
  server: "Server",
  goes: "You will go to {host}.",
  notOpened: "The page could not be opened from here. Its address is {page}",
  nowhere: "It cannot be answered here.",
  covered: "The buttons work once nothing lies over this card.",
  withdrawn: "No longer asked.",
  thisQuestion: "this question",
};

export const say = (key: keyof typeof english, words?: Words): string => inWords(english[key], words);
