// The messages of a conversation, as they are shown.

import { covers, Turn } from "./turn.js";
import type { Message, Outcome, Question } from "./wire.js";

// How long a replay may take to come as far as what is shown.
const patience = 1_500;

// Writer is one stream's way into the transcript.
export interface Writer {
  turn: Turn;
  waiting?: ReturnType<typeof setTimeout> | undefined; // set while a replay waits to take the place of what is shown
}

export class Transcript {
  messages: Message[] = [];
  #settled = new Map<string, Outcome>();
  #writers = new Set<Writer>();

  constructor(private readonly changed: () => void) {}

  // questions are those that wait for an answer, the oldest first.
  get questions(): Question[] {
    return this.messages
      .flatMap((m) => m.parts)
      .flatMap((p) => (p.kind === "question" && !p.question.outcome ? [p.question] : []));
  }

  // writer begins a message, or several, from one stream.
  writer(): Writer {
    const writer: Writer = { turn: new Turn((question) => this.#elsewhere(writer, question)) };
    this.#writers.add(writer);
    return writer;
  }

  // show puts the message of a writer among the others. A replay first assembles aside, so that what is on the screen
  // does not vanish and come back.
  show(writer: Writer): void {
    const message = writer.turn.message;
    if (!message) return;
    this.#remember(message);
    const shown = this.messages.find((m) => m.id === message.id);
    if (shown === message) return;
    if (!shown || writer.turn.ending || covers(message, shown)) this.#place(writer);
    else writer.waiting ??= setTimeout(() => this.#place(writer), patience);
  }

  // finish ends a writer; what it has assembled aside is shown.
  finish(writer: Writer): void {
    this.#writers.delete(writer);
    if (writer.waiting !== undefined && writer.turn.ending) this.#place(writer);
    clearTimeout(writer.waiting);
    writer.waiting = undefined;
  }

  // settle notes how a question ended. That is final: a replay that does not know it yet does not open it again.
  settle(id: string, outcome: Outcome): void {
    if (!this.#settled.has(id)) this.#settled.set(id, outcome);
    for (const message of this.messages) this.#remember(message);
  }

  // merge takes over the server's record. What the server cannot know yet stays: messages under way in either direction.
  merge(recorded: readonly Message[]): void {
    const known = new Set(recorded.map((m) => m.id));
    const live = [...this.#writers].flatMap(({ turn }) => (turn.message ? [turn.message] : []));
    this.messages = [
      ...recorded.map((m) => live.find((l) => l.id === m.id) ?? m),
      ...this.messages.filter((m) => !known.has(m.id) && (m.status !== undefined || live.includes(m))),
    ];
    for (const message of this.messages) this.#remember(message);
  }

  #place(writer: Writer): void {
    clearTimeout(writer.waiting);
    writer.waiting = undefined;
    const message = writer.turn.message;
    if (!message) return;
    const at = this.messages.findIndex((m) => m.id === message.id);
    if (at >= 0) this.messages[at] = message;
    else this.messages.push(message);
    this.changed();
  }

  #remember(message: Message): void {
    for (const part of message.parts) {
      if (part.kind !== "question") continue;
      const { outcome } = part.question;
      if (outcome) this.#settled.set(part.id, outcome);
      else if (this.#settled.has(part.id)) part.question = { ...part.question, outcome: this.#settled.get(part.id) };
    }
  }

  // elsewhere updates a question of another message than the writer's own.
  #elsewhere(writer: Writer, question: Question): boolean {
    for (const message of this.messages) {
      if (message.id === writer.turn.message?.id) continue;
      const part = message.parts.find((p) => p.kind === "question" && p.id === question.elicitationId);
      if (part?.kind !== "question") continue;
      part.question = question;
      this.#remember(message);
      return true;
    }
    return false;
  }
}
