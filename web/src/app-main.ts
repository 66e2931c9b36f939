// The app that hosts of MCP Apps draw: a question of the server, answered inside a chat that cannot ask by itself. It asks the
// server by two tools, and answers the draft's elicitation/create by the same card.

import { readAsk, type Ask } from "./app-ask.js";
import { Host } from "./app-host.js";
import { Question, type Action, type Content } from "./app-question.js";
import { say } from "./app-strings.js";
import { look } from "./app-look.js";
import { list, object, text, type Json } from "./json.js";

const unasked = 1_500; // so long the host may take to say which question
const often = 2_000;
const seldom = 10_000;
const tooLate = 60_000; // no question comes any more

class Refusal extends Error {}

class App {
  #host = new Host({ told: (method, params) => this.#told(method, params), asked: (method, params, id) => this.#asked(method, params, id) });
  #question: Question;
  #look = look();
  #ready = false; // the host may be asked for something
  #id: string | undefined; // of the question that the host wants to be shown
  #late: string | undefined; // the same, while another one is shown
  #calling: Promise<unknown> = Promise.resolve(); // one call after the other
  #since = Date.now();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #elicited: { id: unknown; done: (result: Json) => void } | undefined;
  #drafted = false; // this app is here for what the host asks

  constructor() {
    const { stage, spoken } = this.#look;
    this.#question = new Question(stage, spoken, {
      answer: (ask, action, content) => void this.#answer(ask, action, content),
      visit: (page) => void this.#visit(page),
      again: () => void this.#open(this.#question.ask?.elicitId ?? this.#id),
    });
    this.#question.wait();
    document.addEventListener("visibilitychange", () => this.#question.pending && this.#plan(0));
    void this.#start();
  }

  async #start(): Promise<void> {
    const hello = await this.#host.request("ui/initialize", {
      protocolVersion: "2026-01-26",
      appInfo: { name: "parley-ask", version: "1" },
      appCapabilities: { elicitation: {} },
    });
    this.#host.notify("ui/notifications/initialized");
    this.#look.follow(object(hello["hostContext"]));
    this.#look.report((size) => this.#host.notify("ui/notifications/size-changed", size));
    this.#ready = true;
    // A host that asks by itself may take longer to do so than one that says which question.
    const asks = object(hello["hostCapabilities"])?.["elicitation"] !== undefined;
    if (this.#id !== undefined) void this.#open(this.#id);
    else this.#timer = setTimeout(() => void this.#open(undefined), asks ? 2 * unasked : unasked);
  }

  #told(method: string, params: Json): void {
    if (method === "ui/notifications/tool-input") this.#named(object(params["arguments"])?.["elicitId"]);
    else if (method === "ui/notifications/tool-result") this.#named(object(params["_meta"])?.["parley/open"]);
    else if (method === "ui/notifications/host-context-changed") this.#look.follow(params);
    else if (method === "notifications/cancelled" && this.#elicited && params["requestId"] === this.#elicited.id) this.#finish("cancel", say("withdrawn"));
  }

  // named learns which question the host wants. One that is open here already is not taken away from whoever fills it in.
  #named(id: unknown): void {
    if (this.#id !== undefined || typeof id !== "string" || this.#drafted) return;
    this.#id = id;
    if (this.#question.pending) this.#late = id;
    else if (this.#ready) void this.#open(id);
  }

  #asked(method: string, params: Json, id: unknown): Promise<Json> | undefined {
    if (method === "ping") return Promise.resolve({});
    if (method === "ui/resource-teardown") {
      clearTimeout(this.#timer);
      this.#finish("cancel", say("withdrawn"));
      return Promise.resolve({});
    }
    return method === "elicitation/create" ? this.#elicit(params, id) : undefined;
  }

  // elicit shows what the host asks for. No tool is called then: the answer is that of the host's request.
  #elicit(params: Json, id: unknown): Promise<Json> | undefined {
    const ask = readAsk({ elicitId: String(id), state: "pending", message: params["message"], schema: params["requestedSchema"] });
    if (!ask?.schema || text(params["mode"]) === "url") return undefined;
    clearTimeout(this.#timer);
    this.#finish("cancel", "");
    this.#drafted = true;
    return new Promise((done) => {
      this.#elicited = { id, done };
      this.#question.take(ask);
    });
  }

  // finish answers what the host asks for, if it does.
  #finish(action: Action, words: string, content?: Content): void {
    if (!this.#elicited) return;
    this.#elicited.done({ action, ...(content && { content }) });
    this.#elicited = undefined;
    this.#question.take({ ...this.#question.ask!, state: "settled", outcome: action, words });
  }

  async #answer(ask: Ask, action: Action, content: Content | undefined): Promise<void> {
    if (this.#elicited) {
      const words = { accept: "answered", decline: "declined", cancel: "cancelled" } as const;
      return this.#finish(action, say(words[action], { place: "" }), content);
    }
    await this.#calling; // it may bring another nonce
    const { nonce } = this.#question.ask ?? ask;
    try {
      this.#take(await this.#call("parley_answer", { elicitId: ask.elicitId, nonce, action, ...(content && { content }) }));
    } catch (error) {
      this.#question.refuse(error instanceof Refusal ? error.message : say("answerUnreachable"));
      this.#plan(0); // whether it was taken all the same, and for another nonce
    }
  }

  async #visit(page: string): Promise<void> {
    const opened = await this.#host.request("ui/open-link", { url: page }).then((r) => r["isError"] !== true, () => false);
    if (opened) this.#question.opened();
    else this.#question.refuse(say("notOpened", { page }));
    this.#since = Date.now();
    this.#plan();
  }

  async #open(elicitId: string | undefined): Promise<void> {
    if (this.#drafted || this.#question.sending) return;
    clearTimeout(this.#timer);
    try {
      const ask = await this.#call("parley_open", elicitId === undefined ? {} : { elicitId });
      if (!this.#drafted && !this.#question.sending) this.#take(ask);
      else if (this.#question.ask?.elicitId === ask.elicitId && ask.state === "pending") this.#question.ask = ask; // another nonce
    } catch (error) {
      if (this.#question.pending) this.#plan();
      else if (!this.#drafted) this.#question.wait(error instanceof Refusal ? error.message : say("notLoaded"));
    }
  }

  // take shows what the server says, and what comes after it.
  #take(ask: Ask): void {
    const next = ask.state === "pending" ? undefined : readAsk(ask.next);
    if (ask.elicitId !== this.#question.ask?.elicitId) this.#since = Date.now();
    this.#question.take(ask);
    if (next) return this.#take(next);
    if (this.#question.pending) return this.#plan();
    const late = this.#late;
    this.#late = undefined;
    if (late && late !== ask.elicitId) void this.#open(late);
    else if (ask.state === "none" && Date.now() - this.#since < tooLate) this.#plan();
  }

  // plan looks at the question again later: it may be answered on its page, or elsewhere while nobody sees it here.
  #plan(after?: number): void {
    clearTimeout(this.#timer);
    if (this.#drafted) return;
    const ask = this.#question.ask;
    const here = ask?.state === "pending" && ask.here && document.visibilityState === "visible";
    const waited = Date.now() - this.#since;
    const soon = here ? seldom : Math.min(seldom, Math.max(often, waited / 30));
    this.#timer = setTimeout(() => void this.#open(ask?.elicitId || this.#id), after ?? soon);
  }

  // call calls a tool of the server, one at a time.
  #call(name: string, args: Json): Promise<Ask> {
    const called = this.#host.request("tools/call", { name, arguments: args }).then((result) => {
      const ask = readAsk(object(result["_meta"])?.["parley/ask"]);
      if (ask) return ask;
      throw new Refusal(list(result["content"]).map((c) => text(object(c)?.["text"]) ?? "").join(" ") || say("answerFailed"));
    });
    this.#calling = called.catch(() => undefined);
    return called;
  }
}

if (parent !== window) new App();
