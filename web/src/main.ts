// The widget: two custom elements. A page loads this as a module and writes <parley-chat> or <parley-question>.

import { ParleyChat } from "./chat.js";
import { ParleyQuestion } from "./question.js";

export { ParleyChat, ParleyQuestion };
export { english } from "./strings.js";
export type { Strings } from "./strings.js";
export type { Action, Outcome, Question } from "./wire.js";

declare global {
  interface HTMLElementTagNameMap {
    "parley-chat": ParleyChat;
    "parley-question": ParleyQuestion;
  }
}

// A page may load the script twice.
if (!customElements.get("parley-question")) customElements.define("parley-question", ParleyQuestion);
if (!customElements.get("parley-chat")) customElements.define("parley-chat", ParleyChat);
