// A conversation with the server: sending, listening, and finding the way back after a lost connection.

import { Refused, type Api } from "./api.js";
import { read } from "./sse.js";
import { Transcript, type Writer } from "./transcript.js";
import type { History, Message, Outcome, Question } from "./wire.js";

// Failure is what stands in the way, and what trying again would do.
export interface Failure {
  kind: "unreachable" | "refused" | "failed";
  status?: number | undefined;
  said?: string | undefined; // by the server
  opening?: boolean | undefined; // what was said before could not be shown
  again: () => void;
}

// A server sends a comment now and then; silence for longer than this means that the connection is dead.
const silence = 60_000;
const longestPause = 15_000;
// A stream that lived this long was a good one: the pauses begin anew.
const good = 5_000;

interface Stream extends Writer {
  abort: AbortController;
}

export class Conversation {
  failure: Failure | undefined;
  loading = false;
  lost = false; // the connection is, and is being sought
  trouble: string | undefined; // what the server says instead of answering, while lost
  stopped = false; // the person wants to see no more of what goes on

  #transcript: Transcript;
  #streams = new Set<Stream>();
  #loop: AbortController | undefined; // of the one loop that seeks the current message
  #wake: (() => void) | undefined; // set while that loop pauses
  #opened = false;
  #stale = false; // something was missed while another stream went on
  #left = new Set<string>(); // messages that were going on when the person stopped
  #beside = new Map<string, AbortController>(); // older turns that are followed beside the current one, by message

  #pictures = new Map<string, string | null | undefined>(); // by id

  // changed is called whenever there is something new to show.
  constructor(
    readonly id: string,
    private readonly api: Api,
    private readonly agent: string | undefined,
    private readonly changed: () => void,
  ) {
    this.#transcript = new Transcript(changed);
  }

  // picture is an image of the conversation: undefined while it comes, null if it cannot be shown.
  picture(id: string): string | null | undefined {
    if (!this.#pictures.has(id)) {
      this.#pictures.set(id, undefined);
      const came = (src: string | undefined) => {
        this.#pictures.set(id, src ?? null);
        this.changed();
      };
      this.api.picture(this.id, id).then(came, () => came(undefined));
    }
    return this.#pictures.get(id);
  }

  get messages(): readonly Message[] {
    return this.#transcript.messages;
  }

  // questions are those that wait for an answer, the oldest first.
  get questions(): Question[] {
    return this.#transcript.questions;
  }

  // busy reports whether a turn is going on.
  get busy(): boolean {
    return this.#streams.size > 0 || this.lost;
  }

  // going reports whether more of a message may come. A stream that has not begun its message may be the last one's.
  going(message: Message): boolean {
    const last = message === this.messages.at(-1);
    if (last && (this.lost || this.loading)) return true;
    if (this.#beside.has(message.id)) return true;
    return [...this.#streams].some(({ turn }) => !turn.ending && (turn.message ? turn.message.id === message.id : last));
  }

  // left reports whether the person stopped a message that was going on, or was to come, and nobody knows how it ended.
  left(message: Message): boolean {
    if (!this.stopped || message.parts.some((p) => p.kind === "mark")) return false;
    const before = this.messages[this.messages.indexOf(message) - 1];
    return this.#left.has(message.id) || (before?.role === "user" && this.#left.has(before.id));
  }

  // open shows what was said before, and follows a turn that is going on.
  open(): void {
    this.loading = this.#opened = true;
    void this.#follow(true, 0);
  }

  send(said: string): void {
    const message: Message = {
      id: newId("msg"),
      role: "user",
      parts: [{ kind: "text", id: "text", text: said, open: false }],
    };
    this.#transcript.messages.push(message);
    void this.#post(message, said);
  }

  // stop leaves the turn and has the server end it. A call that is under way there may still be done.
  stop(): void {
    this.#left = new Set(this.messages.filter((m) => this.going(m)).map((m) => m.id));
    this.stopped = true;
    if (this.busy) void this.#halt();
    this.#stale = this.busy; // the rest is looked up after the next turn
    this.close();
    this.changed();
  }

  // halt has the server end the turn, and shows what became of its questions: they are nobody's to answer any more. If it
  // is not heard the turn goes on, and the rest can be shown.
  async #halt(): Promise<void> {
    try {
      await this.api.halt(this.id);
      for (const wait of [0, 500, 2000]) {
        if (wait > 0) await new Promise((done) => setTimeout(done, wait));
        if (!this.stopped) return; // whoever goes on reads it anyway
        const { messages, active } = await this.api.history(this.id, new AbortController().signal);
        if (!this.stopped) return;
        this.#transcript.merge(messages);
        const over = !active && this.questions.length === 0;
        if (over) this.stopped = this.#stale = false; // how it ended stands where it was
        this.changed();
        if (over) return;
      }
    } catch {
      // Not heard.
    }
  }

  // resume follows the current turn, at once, unless that is being done. Who had stopped left older ones too.
  resume(): void {
    const stopped = this.stopped;
    this.stopped = false;
    this.failure = undefined;
    if (this.#wake) this.#wake();
    else if (!this.#loop && this.#streams.size === 0) void this.#follow(stopped, 0);
    this.changed();
  }

  // retry asks once more what was asked last. A turn that only seemed to have failed is gone on with.
  async retry(): Promise<void> {
    const said = this.messages.findLast((m) => m.role === "user")?.parts.flatMap((p) => (p.kind === "text" ? [p.text] : [])).join("\n");
    if (!said) return;
    if (this.busy || this.#loop) {
      // Only an older turn goes on: this one was seen to its end.
      if (!this.failure && !this.going(this.messages.at(-1)!)) this.send(said);
      return;
    }
    const { signal } = (this.#loop = new AbortController());
    this.failure = undefined;
    this.stopped = false;
    this.loading = true;
    this.changed();
    try {
      const history = await this.api.history(this.id, signal);
      if (signal.aborted) return;
      this.#endLoop();
      this.#take(history);
      if (history.active) this.resume();
      else this.send(said);
    } catch (error) {
      if (signal.aborted) return;
      this.#endLoop();
      const refused = error instanceof Refused ? error : undefined;
      this.failure = { kind: refused ? "refused" : "unreachable", status: refused?.status, said: refused?.said, again: () => void this.retry() };
    }
    this.changed();
  }

  // identified is told that requests are another's from now on, or may be: what could not be shown may be shown now.
  identified(another: boolean): void {
    const refused = this.failure?.opening === true && this.failure.status === 401;
    if (!refused && !(another && (this.#opened || this.messages.length > 0))) return;
    this.close();
    this.#reopen();
  }

  // settle notes how a question ended, before the stream says so.
  settle(id: string, outcome: Outcome): void {
    this.#transcript.settle(id, outcome);
    this.changed();
  }

  // close ends all that is under way.
  close(): void {
    this.#endLoop();
    for (const older of this.#beside.values()) older.abort();
    this.#beside.clear();
    for (const stream of [...this.#streams]) this.#end(stream);
  }

  async #post(message: Message, said: string): Promise<void> {
    this.failure = undefined;
    this.stopped = false;
    message.status = "sending";
    if (this.#wake) {
      this.#stale = true; // whatever was sought has to be looked up later
      this.#endLoop();
    }
    const stream = this.#begin();
    this.changed();
    try {
      const parts = [{ type: "text", text: said }];
      const body = { id: this.id, agent: this.agent || undefined, messages: [{ id: message.id, role: "user", parts }] };
      const response = await this.api.send(body, stream.abort.signal);
      message.status = undefined;
      this.changed();
      this.#afterwards(stream, await this.#pump(stream, response));
    } catch (error) {
      message.status = this.#streams.has(stream) ? "failed" : undefined;
      if (message.status) this.failure = this.#unsent(message, said, error);
      this.#end(stream);
    }
    this.changed();
  }

  // unsent offers to send a message again. A server that could not be reached may have the message all the same, so it
  // is asked first.
  #unsent(message: Message, said: string, error: unknown): Failure {
    const post = () => void this.#post(message, said);
    if (error instanceof Refused) return { kind: "refused", status: error.status, said: error.said, again: post };
    const look = async () => {
      this.failure = undefined;
      message.status = "sending";
      this.changed();
      try {
        const history = await this.api.history(this.id, new AbortController().signal);
        if (!history.messages.some((m) => m.id === message.id)) return post();
        this.#take(history);
        if (history.active) this.resume();
      } catch (again) {
        message.status = "failed";
        this.failure = this.#unsent(message, said, again);
      }
      this.changed();
    };
    return { kind: "unreachable", again: () => void look() };
  }

  // afterwards decides what comes after the stream that answered a message.
  #afterwards(stream: Stream, ended: boolean): void {
    const left = !this.#streams.has(stream);
    this.#end(stream);
    if (left) return; // on purpose
    const message = stream.turn.message;
    if (!ended && message && (this.#streams.size > 0 || this.#loop)) return void this.#followBeside(message.id, 1);
    if (!ended) this.#stale = true;
    if (!this.#stale || this.#streams.size > 0 || this.#loop) return;
    this.lost = !ended;
    void this.#follow(ended, ended ? 0 : 1);
  }

  // follow seeks the current message and listens to its end: after a lost connection it tries again, with longer and
  // longer pauses. With history it first looks up what was said before.
  async #follow(history: boolean, tries: number): Promise<void> {
    const loop = (this.#loop = new AbortController());
    this.#stale = false;
    while (!loop.signal.aborted) {
      if (tries > 0) await this.#pause(Math.min(1000 * 2 ** (tries - 1), longestPause), loop.signal);
      if (loop.signal.aborted) return;
      const began = Date.now();
      try {
        if (history && !(await this.#load(loop.signal))) break;
        history = false;
        if (await this.#listen(loop.signal)) break;
      } catch (error) {
        if (!loop.signal.aborted && error instanceof Refused && !error.passing) {
          this.failure = { kind: "refused", status: error.status, said: error.said, opening: true, again: () => this.#reopen() };
          break;
        }
        this.trouble = error instanceof Refused ? error.said : undefined;
      }
      if (loop.signal.aborted) return;
      tries = Date.now() - began > good ? 1 : tries + 1;
      this.lost = true;
      this.changed();
    }
    if (loop.signal.aborted) return;
    this.#endLoop();
    this.changed();
  }

  #reopen(): void {
    this.failure = undefined;
    this.open();
    this.changed();
  }

  #endLoop(): void {
    this.#loop?.abort();
    this.#loop = undefined;
    this.loading = this.lost = false;
  }

  // load takes over the history and reports whether a turn is going on.
  async #load(signal: AbortSignal): Promise<boolean> {
    const history = await this.api.history(this.id, signal);
    if (signal.aborted) return false;
    this.loading = this.lost = false;
    this.#take(history);
    this.changed();
    return history.active;
  }

  // take shows what the server has, and follows the turns that wait behind the current one.
  #take(history: History): void {
    this.#transcript.merge(history.messages);
    for (const id of history.activeMessages.slice(0, -1)) void this.#followBeside(id, 0);
  }

  // followBeside follows an older turn to its end, whatever becomes of the others. A connection that is lost is sought as
  // that of the current one is.
  async #followBeside(id: string, tries: number): Promise<void> {
    if (this.#beside.has(id) || [...this.#streams].some((s) => s.turn.message?.id === id)) return;
    const { signal } = this.#beside.set(id, new AbortController()).get(id)!;
    for (; !signal.aborted; tries++) {
      if (tries > 0) await passing(Math.min(1000 * 2 ** (tries - 1), longestPause), signal);
      if (signal.aborted) return;
      try {
        if (await this.#listen(signal, id)) break;
      } catch (error) {
        if (error instanceof Refused && !error.passing) break; // forgotten, or not ours any more: the history says what is left of it
      }
    }
    if (!signal.aborted) this.#beside.delete(id);
    this.changed();
  }

  // listen follows the current message, or the one that is named, and reports whether it came to its end.
  async #listen(signal: AbortSignal, message?: string): Promise<boolean> {
    const stream = this.#begin();
    signal.addEventListener("abort", () => this.#end(stream), { once: true, signal: stream.abort.signal });
    try {
      const response = await this.api.stream(this.id, stream.abort.signal, message);
      if (message === undefined) this.lost = this.loading = false;
      this.trouble = undefined;
      this.changed();
      if (response) return await this.#pump(stream, response);
      // It ended while nobody listened.
      await this.#load(signal);
      return true;
    } finally {
      this.#end(stream);
    }
  }

  // pump shows a stream as it comes. It reports whether the server brought it to its end; a lost connection is no error.
  async #pump(stream: Stream, response: Response): Promise<boolean> {
    let watch: ReturnType<typeof setTimeout> | undefined;
    const alive = () => {
      clearTimeout(watch);
      watch = setTimeout(() => stream.abort.abort(), silence);
    };
    alive();
    try {
      for await (const events of read(response.body!)) {
        alive();
        if (!this.#streams.has(stream)) return false;
        for (const data of events) stream.turn.take(data);
        this.#transcript.show(stream);
        if (events.length > 0) this.changed();
        if (stream.turn.ending) break;
      }
    } catch {
      // Lost.
    } finally {
      clearTimeout(watch);
    }
    const ending = stream.turn.ending;
    if (ending?.error !== undefined) this.failure = { kind: "failed", said: ending.error, again: () => void this.retry() };
    return ending !== undefined;
  }

  #begin(): Stream {
    const stream = Object.assign(this.#transcript.writer(), { abort: new AbortController() });
    this.#streams.add(stream);
    return stream;
  }

  #end(stream: Stream): void {
    if (!this.#streams.delete(stream)) return;
    stream.abort.abort();
    this.#transcript.finish(stream);
  }

  #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#wake = done;
      signal.addEventListener("abort", done);
    });
  }
}

// passing resolves after some time, or when the signal says that nobody waits any more.
function passing(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}

// newId makes an id of at most 64 letters and digits. crypto.randomUUID is missing on pages without https.
export function newId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `${prefix}_${[...bytes].map((b) => b.toString(16).padStart(2, "0")).join("")}`;
}
