// <parley-chat>: a conversation with an agent, and its questions where they come up.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { answerStyles } from "./answer-styles.js";
import { Api, type GetToken } from "./api.js";
import { chatStyles } from "./chat-styles.js";
import { Clock } from "./clock.js";
import { Conversation, newId, type Failure } from "./conversation.js";
import { confirm, copy } from "./copy.js";
import { icons } from "./icons.js";
import { parse } from "./json.js";
import { line, name, prose, visible } from "./legible.js";
import { messageTemplate } from "./message-view.js";
import type { ParleyQuestion } from "./question.js";
import { Scroll } from "./scroll.js";
import { Session, type Kept } from "./session.js";
import { sayer, type Say, type Strings } from "./strings.js";
import { controls, theme } from "./styles.js";
import { forOthers, serviceOf, type Message, type Question } from "./wire.js";

// The server that this script came from.
const home = new URL(".", import.meta.url).href;

export class ParleyChat extends LitElement {
  static override styles = [theme, controls, chatStyles, answerStyles];

  static override properties = {
    base: {},
    agent: {},
    conversation: {},
    heading: {},
    theme: { reflect: true },
    token: { attribute: false },
    getToken: { attribute: false },
    strings: { attribute: false },
    suggestions: { converter: { fromAttribute: sentences } },
  };

  declare base: string | undefined; // the server; default: where the script came from
  declare agent: string | undefined; // default: the server's own choice
  declare conversation: string | undefined; // default: the tab's, else the person's last one in this browser
  declare heading: string | undefined;
  declare theme: string | undefined;
  declare token: string | undefined;
  declare getToken: GetToken | undefined;
  declare strings: Partial<Strings> | undefined;
  declare suggestions: readonly string[] | undefined; // what an empty chat offers to say; as an attribute, a JSON list

  #conversation: Conversation | undefined;
  #clock = new Clock();
  #account: string | undefined; // whose conversation it is, as far as the server has said so
  #api = new Api(
    () => ({ base: this.#base(), token: this.token, getToken: this.getToken }),
    this.#clock,
    (account, method) => this.#heard(account, method),
  );
  #draft = "";
  #announced = new Set<string>(); // questions
  #announcement = "";
  #announcing: string | undefined; // the question that it is about
  #reported: Failure | undefined;
  #scroll = new Scroll(this, () => this.renderRoot.querySelector<HTMLElement>(".log"));

  // conversationId is the id under which the server keeps this conversation.
  get conversationId(): string | undefined {
    return this.#conversation?.id;
  }

  // send says something for the person.
  send(said: string): void {
    if (said.trim() === "" || !this.#conversation) return;
    this.#conversation.send(said.trim());
    this.#scroll.toEnd();
  }

  // stop leaves the current answer; what the agent has begun may go on.
  stop(): void {
    this.#conversation?.stop();
  }

  // newConversation leaves this one. One that the host named is left by naming another.
  newConversation(): void {
    this.#session.forget(this.#account);
    this.#show({ id: newId("conv"), account: this.#account }, true);
    this.#composer?.focus();
  }

  override focus(options?: FocusOptions): void {
    this.#composer?.focus(options);
  }

  protected override firstUpdated(): void {
    if (this.autofocus) this.focus({ preventScroll: true });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#conversation?.close();
    this.#conversation = undefined;
  }

  // hurry looks for a lost connection at once when there is reason to think that it would be found.
  #hurry = (): void => {
    if (this.#conversation?.lost && !document.hidden) this.#conversation.resume();
  };

  // What comes late to an element that has left the page must not begin a conversation there.
  protected override shouldUpdate(): boolean {
    return this.isConnected;
  }

  // While a text comes in, the page is drawn once a frame, however many pieces it comes in.
  protected override async scheduleUpdate(): Promise<void> {
    if (this.#conversation && this.#writing()) await frame();
    return super.scheduleUpdate() as Promise<void> | undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.#conversation || changed.has("base") || changed.has("agent") || changed.has("conversation")) this.#begin();
    else if (changed.has("token") || changed.has("getToken")) this.#identified(changed);
    this.#announce();
  }

  // identified looks again with a token that has come, such as from a script that runs later. One in place of another is
  // the same person's; if it is not, the server says so.
  #identified(changed: PropertyValues): void {
    const had = (name: "token" | "getToken") => (changed.has(name) ? changed.get(name) : this[name]) !== undefined;
    this.#conversation?.identified(!had("token") && !had("getToken"));
  }

  get #session(): Session {
    return new Session(this.#base(), this.agent);
  }

  #begin(): void {
    const kept = this.conversation ? { id: this.conversation } : this.#session.recall();
    this.#show(kept ?? { id: newId("conv") }, !kept);
  }

  // heard is told whose conversations the server shows. Those of somebody else who used this browser before are left,
  // whatever is remembered here.
  #heard(account: string, method: string): void {
    if (this.conversation || !this.#conversation) return;
    const { id } = this.#conversation;
    const another = this.#account !== undefined && this.#account !== account;
    this.#account = account;
    if (!another) return this.#session.keep({ id, account }, true);
    const own = method === "POST" ? id : this.#session.of(account);
    this.#show({ id: own ?? newId("conv"), account }, own === undefined);
  }

  #show({ id, account }: Kept, fresh: boolean): void {
    this.#conversation?.close();
    this.#account = account;
    if (!this.conversation) this.#session.keep({ id, account }, false);
    this.#conversation = new Conversation(id, this.#api, this.agent, () => this.requestUpdate());
    this.#announced.clear();
    if (!fresh) this.#conversation.open();
    this.dispatchEvent(new CustomEvent("parley-conversation", { bubbles: true, composed: true, detail: { id } }));
    this.requestUpdate();
  }

  #base(): string {
    return new URL(this.base ?? home, document.baseURI).href.replace(/\/+$/, "");
  }

  get #say(): Say {
    return sayer(this.strings);
  }

  get #composer(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector<HTMLTextAreaElement>(".composer textarea");
  }

  // announce says aloud what a person who does not see the page would miss.
  #announce(): void {
    const { questions, failure } = this.#conversation!;
    if (this.#announcing && !questions.some((q) => q.elicitationId === this.#announcing)) {
      this.#announcement = ""; // its card says how it ended
      this.#announcing = undefined;
    }
    for (const question of questions) {
      const { elicitationId, message } = question;
      if (this.#announced.has(elicitationId)) continue;
      this.#announced.add(elicitationId);
      this.#announcing = elicitationId;
      this.#announcement = this.#say("announce", { service: name(serviceOf(question) || this.#say("someone")), message: prose(message) });
      void this.updateComplete.then(() => this.#arrived(elicitationId));
    }
    if (failure && failure !== this.#reported) {
      const detail = { kind: failure.kind, status: failure.status, message: this.#reason(failure) };
      this.dispatchEvent(new CustomEvent("parley-error", { bubbles: true, composed: true, detail }));
    }
    this.#reported = failure;
  }

  // arrived brings a new question into view. It takes the focus only from somebody who waits, not from one who types, and
  // not where that would open a keyboard on the screen.
  async #arrived(id: string): Promise<void> {
    const card = this.#card(id);
    await card?.updateComplete;
    if (!card) return;
    this.#scroll.reveal(card); // it waits for the person, wherever they read
    const waits = this.shadowRoot?.activeElement === this.#composer && this.#draft === "";
    if (waits && !matchMedia("(pointer: coarse)").matches) card.focus({ preventScroll: true });
  }

  #card(id: string): ParleyQuestion | undefined {
    return [...this.renderRoot.querySelectorAll<ParleyQuestion>("parley-question")].find((c) => c.dataset["id"] === id);
  }

  #jump(question: Question | undefined): void {
    const card = question && this.#card(question.elicitationId);
    if (!card) return this.#scroll.toEnd();
    this.#scroll.reveal(card);
    card.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const { messages, loading } = this.#conversation!;
    const say = this.#say;
    return html`
      ${this.#head()}
      <div class="log" part="log" role="log" tabindex="0" aria-label=${say("log")} aria-busy=${this.#writing()}>
        <div class="column" @click=${this.#copyCode} @parley-answered=${this.#answered} @parley-hint=${this.#lookAgain} @parley-refused=${this.#lookAgain} @scroll=${this.#scroll.hold}>
          ${messages.length > 0 || loading ? nothing : this.#empty()}
          ${repeat(messages, (m) => m.id, (message, i) => this.#message(message, i === messages.length - 1))} ${this.#progress()}
        </div>
      </div>
      <div class="foot" part="foot">${this.#jumper()} ${this.#banner()} ${this.#composerTemplate()}</div>
      <div class="hidden announcer" role="status">${this.#announcement}</div>
    `;
  }

  #message(message: Message, last: boolean): TemplateResult {
    const c = this.#conversation!;
    const idle = !c.busy && !c.loading;
    const failed = last && c.failure?.kind === "failed";
    const whole = !c.going(message);
    const beside = whole && !c.failure; // an older turn waits or goes on
    const again = last && !c.stopped && (idle ? (!c.failure || failed) && c.questions.length === 0 : beside);
    return messageTemplate({
      message,
      say: this.#say,
      whole,
      fresh: failed,
      again: again ? () => this.#again() : undefined,
      left: c.left(message) ? () => this.#left() : undefined,
      another: last && !this.conversation ? () => this.newConversation() : undefined,
      copy: (text, button) => void this.#copy(text, button),
      question: this.#question,
      pictures: (id) => c.picture(id),
    });
  }

  #again(): void {
    void this.#conversation?.retry();
    this.#scroll.toEnd();
    this.#composer?.focus();
  }

  async #copy(text: string, button: HTMLElement): Promise<void> {
    if (!(await copy(text))) return;
    confirm(button);
    this.#announcing = undefined;
    this.#announcement = this.#say("copied");
    this.requestUpdate();
  }

  #copyCode = (event: Event): void => {
    const button = event.composedPath().find((e): e is HTMLElement => e instanceof HTMLElement && e.matches("button.copy"));
    const code = button?.closest(".code")?.querySelector("code");
    if (button && code) void this.#copy(code.textContent ?? "", button);
  };

  // empty is what a chat shows before anything is said.
  #empty(): TemplateResult {
    const offer = (said: string) => html`<button type="button" dir="auto" @click=${() => this.send(said)}>${line(said)}</button>`;
    return html`<div class="empty">
      <slot name="empty">${this.#say("empty")}</slot>
      ${this.suggestions?.length ? html`<div class="suggestions">${this.suggestions.map(offer)}</div>` : nothing}
    </div>`;
  }

  // head has the heading, and the way to another conversation unless the host chooses which one it is.
  #head(): TemplateResult | typeof nothing {
    const another = !this.conversation && (this.heading || this.#conversation!.messages.length > 0);
    if (!this.heading && !another) return nothing;
    const label = this.#say("newConversation");
    return html`<div class="head" part="head">
      ${this.heading ? html`<h2 dir="auto">${this.heading}</h2>` : html`<span class="heading"></span>`}
      ${another
        ? html`<button type="button" class="quiet round" title=${label} aria-label=${label} @click=${() => this.newConversation()}>${icons.plus}</button>`
        : nothing}
    </div>`;
  }

  #question = (question: Question): TemplateResult =>
    html`<parley-question data-id=${question.elicitationId} exportparts="card" aria-live="off" lang=${this.lang || nothing}
      .request=${question} .endpoint=${this.#base() + "/run/api/elicitation-responses"} .base=${this.#base()}
      .conversation=${this.#conversation!.id} .token=${this.token} .getToken=${this.getToken}
      .strings=${this.strings} .clock=${this.#clock} .theme=${this.theme}></parley-question>`;

  #answered = (event: CustomEvent<{ elicitationId: string; action: "accept" | "decline" | "cancel" }>): void => {
    const { elicitationId, action } = event.detail;
    this.#conversation!.settle(elicitationId, { action, via: "chat" });
    this.#lookAgain();
  };

  // lookAgain follows the turn that an answer sets in motion, if nobody does.
  #lookAgain = (): void => {
    const c = this.#conversation!;
    if (!c.stopped && (!c.busy || c.lost)) c.resume();
  };

  // writing reports whether a text is coming in: it is read aloud when it is complete.
  #writing(): boolean {
    const last = this.#conversation!.messages.at(-1)?.parts.at(-1);
    return this.#conversation!.busy && last?.kind === "text" && last.open;
  }

  #progress(): TemplateResult | typeof nothing {
    const { loading, busy, lost, stopped, questions, messages } = this.#conversation!;
    const say = this.#say;
    if (stopped && messages.at(-1)?.role === "user") return this.#left(); // before anything of the answer came
    const waits = loading || (busy && !lost && questions.length === 0 && !this.#writing());
    if (!waits) return nothing;
    return html`<p class="thinking"><span class="dots"><i></i><i></i><i></i></span>${say(loading ? "loading" : "thinking")}</p>`;
  }

  // left says that more may come of an answer than the person wanted to see.
  #left(): TemplateResult {
    return html`<p class="quietly">${this.#say("stopped")}
      <button type="button" class="link" @click=${() => this.#conversation!.resume()}>${this.#say("resume")}</button></p>`;
  }

  #jumper(): TemplateResult | typeof nothing {
    const { questions } = this.#conversation!;
    const unseen = questions.filter((q) => !forOthers(q.context) && !this.#scroll.sees(this.#card(q.elicitationId)));
    if (unseen.length > 0) {
      const text = this.#say("waiting", { n: unseen.length });
      return html`<button type="button" class="jump asks" @click=${() => this.#jump(unseen[0])}>${text}</button>`;
    }
    // Over a card that waits it would cover the buttons.
    if (this.#scroll.atEnd || questions.length > 0) return nothing;
    return html`<button type="button" class="jump" @click=${() => this.#jump(undefined)}>${icons.down}${this.#say("latest")}</button>`;
  }

  #banner(): TemplateResult | typeof nothing {
    const c = this.#conversation!;
    const say = this.#say;
    if (c.failure && c.failure.kind !== "failed") { // a turn that failed says so where it stands
      return html`<div class="banner failure" role="alert">${icons.warning}<span>${this.#reason(c.failure)}</span>
        <button type="button" @click=${() => c.failure?.again()}>${say("retry")}</button></div>`;
    }
    if (!c.lost) return nothing;
    return html`<div class="banner" role="status">${icons.warning}<span>${this.#lost(c)}</span>
      <button type="button" @click=${() => c.resume()}>${say("tryNow")}</button></div>`;
  }

  // lost says why there is no connection, as far as that is known.
  #lost({ trouble, loading }: Conversation): string {
    if (trouble) return this.#say("troubled", { said: visible(trouble) });
    return loading && this.#foreign() ? this.#unreachable() : this.#say("lost");
  }

  // foreign reports whether the server is of another origin than the page. Its refusal to be used from here looks like a
  // connection that fails: browsers tell no more.
  #foreign(): boolean {
    return new URL(this.#base() || "/", location.href).origin !== location.origin;
  }

  #unreachable(): string {
    return this.#foreign() ? this.#say("unreachableFrom", { origin: location.origin }) : this.#say("unreachable");
  }

  #reason({ kind, status, said }: Failure): string {
    if (kind === "unreachable") return this.#unreachable();
    if (status === 401) return said && (this.token || this.getToken) ? visible(said) : this.#say("signedOut");
    if (said) return visible(said);
    if (status === 403) return this.#say("forbidden");
    return this.#say(status === 429 ? "tooMany" : "failed");
  }

  // A message may be sent while a question waits: the server knows what to do with it. While text comes in it may not.
  #maySend(): boolean {
    const { busy, questions } = this.#conversation!;
    return this.#draft.trim() !== "" && (!busy || questions.length > 0);
  }

  #composerTemplate(): TemplateResult {
    const say = this.#say;
    const typed = (event: Event) => {
      this.#draft = (event.target as HTMLTextAreaElement).value;
      this.requestUpdate();
    };
    return html`<form class="composer" part="composer" @submit=${this.#submit}>
      <textarea rows=${Math.min(8, this.#draft.split("\n").length)} dir="auto" aria-label=${say("placeholder")} placeholder=${say("placeholder")} enterkeyhint="send"
        .value=${live(this.#draft)} @input=${typed} @keydown=${this.#key}></textarea>
      ${this.#conversation!.busy
        ? html`<button type="button" class="round" title=${say("stop")} aria-label=${say("stop")}
            @click=${() => this.stop()}>${icons.stop}</button>`
        : nothing}
      <button class="round primary" title=${say("send")} aria-label=${say("send")} aria-disabled=${!this.#maySend()}>${icons.send}</button>
    </form>`;
  }

  #key = (event: KeyboardEvent): void => {
    // While a word is being composed, Enter chooses among spellings.
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.#submit(event);
  };

  #submit = (event: Event): void => {
    event.preventDefault();
    if (!this.#maySend()) return;
    const said = this.#draft;
    this.#draft = "";
    this.send(said);
  };

  protected override updated(): void {
    this.#scroll.follow();
  }
}

// sentences reads the attribute.
function sentences(value: string | null): string[] {
  const list = parse(value ?? "");
  return Array.isArray(list) ? list.filter((s) => typeof s === "string" && s.trim() !== "") : [];
}

// frame is the time of the next frame; a page in the background has none.
function frame(): Promise<unknown> {
  return Promise.race([new Promise((done) => requestAnimationFrame(done)), new Promise((done) => setTimeout(done, 100))]);
}
