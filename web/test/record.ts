// One message of the fake server's agent: what it has sent, who listens, and what the history will say of it.

export type Json = { [name: string]: unknown };

export interface Settled {
  action: string;
  content: Json | undefined;
}

export class Record {
  done = false;
  #events: string[] = [];
  #listeners = new Set<(event: string) => void>();
  #parts: Json[] = [];
  #questions = new Map<string, { part: Json; settled?: (s: Settled) => void }>();
  #texts = 0;

  constructor(readonly id: string) {
    this.send({ type: "start", messageId: id }, { type: "start-step" });
  }

  // listen replays everything and goes on live.
  listen(to: (event: string) => void): () => void {
    for (const event of this.#events) to(event);
    this.#listeners.add(to);
    return () => this.#listeners.delete(to);
  }

  // raw sends an event as it is.
  raw(event: string): this {
    this.#events.push(event);
    for (const to of this.#listeners) to(event);
    return this;
  }

  send(...chunks: Json[]): this {
    for (const chunk of chunks) this.raw(`data: ${JSON.stringify(chunk)}\n\n`);
    return this;
  }

  // lose sends a chunk that is not part of the turn: only who listens now gets it.
  lose(chunk: Json): this {
    for (const to of this.#listeners) to(`data: ${JSON.stringify(chunk)}\n\n`);
    return this;
  }

  // write streams a text word by word and leaves it open.
  write(text: string): (more?: string) => this {
    const id = `t${++this.#texts}`;
    const part: Json = { type: "text", text: "" };
    this.#parts.push(part);
    this.send({ type: "text-start", id });
    const add = (piece: string) => {
      part["text"] = String(part["text"]) + piece;
      this.send({ type: "text-delta", id, delta: piece });
    };
    for (const word of text.match(/\s*\S+|\s+/g) ?? []) add(word);
    return (more) => {
      if (more === undefined) return this.send({ type: "text-end", id });
      add(more);
      return this;
    };
  }

  say(text: string): this {
    return this.write(text)();
  }

  // tool begins a call and returns how to end it.
  tool(toolCallId: string, toolName: string, input: unknown): { done(output: unknown): void; fail(error: string): void; deny(): void } {
    const part: Json = { type: `tool-${toolName}`, toolCallId, state: "input-available", input };
    this.#parts.push(part);
    this.send({ type: "tool-input-start", toolCallId, toolName }, { type: "tool-input-available", toolCallId, toolName, input });
    const end = (chunk: Json, state: Json) => {
      Object.assign(part, state);
      this.send({ toolCallId, ...chunk });
    };
    return {
      done: (output) => end({ type: "tool-output-available", output }, { state: "output-available", output }),
      fail: (errorText) => end({ type: "tool-output-error", errorText }, { state: "output-error", errorText }),
      deny: () => end({ type: "tool-output-denied" }, { state: "output-denied" }),
    };
  }

  // ask sends a question and waits until it is settled.
  ask(data: Json): Promise<Settled> {
    const id = String(data["elicitationId"]);
    const part: Json = { type: "data-elicitation-request", id, data: { type: "elicitation-request", ...data } };
    this.#parts.push(part);
    this.send(part);
    return new Promise((settled) => this.#questions.set(id, { part, settled }));
  }

  // title says how people know a tool: on the stream as data, in the history on the part of its call.
  title(toolCallId: string, titles: Json): this {
    Object.assign(this.#parts.find((p) => p["toolCallId"] === toolCallId)!, titles);
    return this.send({ type: "data-tool-title", data: { toolCallId, ...titles }, transient: true });
  }

  // content says what a result has besides text; progress, how far a call is, is kept nowhere.
  content(toolCallId: string, items: Json[]): this {
    const part: Json = { type: "data-tool-content", id: `content-${toolCallId}`, data: { toolCallId, items } };
    this.#parts.push(part);
    return this.send(part);
  }

  progress(toolCallId: string, at: Json): this {
    return this.send({ type: "data-tool-progress", id: `progress-${toolCallId}`, data: { toolCallId, ...at }, transient: true });
  }

  // fail ends the turn with an error, as the server tells and keeps it.
  fail(message: string, code?: string): void {
    const mark = { type: "data-warning", id: "failure", data: { message, ended: "failed", ...(code && { code }) } };
    this.#parts.push(mark);
    if (code) this.send(mark);
    this.#end({ type: "error", errorText: message });
  }

  stop(): void {
    this.#parts.push({ type: "data-warning", id: "stopped", data: { message: "This answer was stopped.", ended: "stopped" } });
    this.#end({ type: "abort" });
  }

  #end(...chunks: Json[]): void {
    this.done = true;
    this.send(...chunks);
    this.raw("data: [DONE]\n\n");
  }

  // settle ends a question; false if there is none that waits.
  settle(id: string, action: string, via: string, content?: Json, more: Json = { by: "alice" }): boolean {
    const question = this.#questions.get(id);
    if (!question?.settled) return false;
    const { part, settled } = question;
    delete question.settled;
    part["data"] = { ...(part["data"] as Json), outcome: { action, via, at: new Date().toISOString(), ...chosen(content), ...more } };
    this.send(part);
    settled({ action, content });
    return true;
  }

  finish(): void {
    this.#end({ type: "finish-step" }, { type: "finish" });
  }

  message(): Json {
    return { id: this.id, role: "assistant", parts: structuredClone(this.#parts) };
  }
}

// chosen is what the server tells of an answer: what was decided of an approval, and nothing else.
function chosen(content: Json | undefined): Json {
  const { decision, ...limits } = content ?? {};
  if (decision === undefined) return {};
  return { decision, ...(decision === "always_allow" && Object.keys(limits).length > 0 && { limits }) };
}
