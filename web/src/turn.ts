// One message of the assistant, assembled from the chunks of its stream.

import { object, parseExactly, text, written, type Json } from "./json.js";
import { ofTool, readData, readQuestion, type Mark, type Message, type Part, type Question, type ToolPart } from "./wire.js";

export interface Ending {
  error?: string | undefined; // what the server said when it failed
  stopped?: boolean | undefined;
}

// Turn takes the chunks of one stream. A chunk that it does not know, or that is damaged, changes nothing.
export class Turn {
  message: Message | undefined;
  ending: Ending | undefined; // set when the server said that this is all

  // elsewhere is asked to update a question that belongs to another message; it reports whether there was one.
  constructor(private readonly elsewhere: (question: Question) => boolean = () => false) {}

  take(data: string): void {
    if (data.trim() === "[DONE]") {
      this.ending ??= {};
      return;
    }
    const chunk = object(parseExactly(data));
    const type = text(chunk?.["type"]);
    if (!chunk || !type) return;
    if (type.startsWith("text-")) this.#text(type, chunk);
    else if (type.startsWith("tool-")) this.#tool(type, chunk);
    else if (type.startsWith("data-")) this.#data(type, chunk);
    else this.#frame(type, chunk);
  }

  #frame(type: string, chunk: Json): void {
    switch (type) {
      case "start":
        if (!this.message) this.message = { id: text(chunk["messageId"]) ?? localId(), role: "assistant", parts: [] };
        break;
      case "finish":
        this.ending ??= {};
        this.#closeTexts();
        break;
      case "abort":
        this.ending = { stopped: true };
        this.#closeTexts();
        this.#mark("stopped", "");
        break;
      case "error":
        this.ending = { error: text(chunk["errorText"]) ?? "" };
        this.#closeTexts();
        this.#mark("failed", text(chunk["errorText"]) ?? "");
    }
  }

  // mark leaves in the message how it ended, unless the server has said more of it before.
  #mark(how: Mark["how"], said: string): void {
    if (!this.#parts.some((p) => p.kind === "mark")) this.#parts.push({ kind: "mark", id: "mark", how, text: said });
  }

  get #parts(): Part[] {
    this.message ??= { id: localId(), role: "assistant", parts: [] };
    return this.message.parts;
  }

  #text(type: string, chunk: Json): void {
    const id = text(chunk["id"]) ?? "";
    // The same id may come again after its end; then it is another text.
    let part = this.#parts.findLast((p) => p.kind === "text" && p.id === id && p.open);
    if (part?.kind !== "text") {
      if (type !== "text-start" && type !== "text-delta") return;
      part = { kind: "text", id, text: "", open: true };
      this.#parts.push(part);
    }
    if (type === "text-delta") part.text += text(chunk["delta"]) ?? "";
    if (type === "text-end") part.open = false;
  }

  #closeTexts(): void {
    for (const part of this.message?.parts ?? []) if (part.kind === "text") part.open = false;
  }

  #tool(type: string, chunk: Json): void {
    const id = text(chunk["toolCallId"]);
    if (!id) return;
    let tool = this.#parts.find((p): p is ToolPart => p.kind === "tool" && p.id === id);
    if (!tool) {
      const name = text(chunk["toolName"]);
      if (name === undefined || !type.startsWith("tool-input-")) return; // news of a call that never began
      tool = { kind: "tool", id, name, state: "writing" };
      this.#parts.push(tool);
    }
    tool.title = text(chunk["title"]) ?? tool.title;
    this.#advance(tool, type, chunk);
  }

  #advance(tool: ToolPart, type: string, chunk: Json): void {
    switch (type) {
      case "tool-input-delta":
        tool.input = (tool.input ?? "") + (text(chunk["inputTextDelta"]) ?? "");
        break;
      case "tool-input-available":
        tool.state = "running";
        tool.input = written(chunk["input"]);
        break;
      case "tool-approval-request":
        tool.state = "asking";
        break;
      case "tool-output-available":
        tool.state = chunk["preliminary"] === true ? "running" : "done";
        tool.output = written(chunk["output"]);
        break;
      case "tool-input-error":
      case "tool-output-error":
        tool.state = "failed";
        tool.error = text(chunk["errorText"]) ?? "";
        break;
      case "tool-output-denied":
        tool.state = "denied";
    }
  }

  #data(type: string, chunk: Json): void {
    if (type.startsWith("data-tool-")) ofTool(this.#parts, type, chunk["data"]);
    if (type === "data-elicitation-request") {
      const question = readQuestion(chunk["data"]);
      if (question) this.#question(question);
      return;
    }
    const part = readData(type, chunk["data"], text(chunk["id"]) ?? `data-${this.#parts.length}`);
    if (!part) return;
    const at = this.#parts.findIndex((p) => p.kind === part.kind && p.id === part.id);
    if (at >= 0) this.#parts[at] = part;
    else this.#parts.push(part);
  }

  #question(question: Question): void {
    const id = question.elicitationId;
    const here = this.#parts.find((p) => p.kind === "question" && p.id === id);
    if (here?.kind === "question") here.question = question;
    else if (!this.elsewhere(question)) this.#parts.push({ kind: "question", id, question });
  }
}

function localId(): string {
  return `local-${Math.random().toString(36).slice(2)}`;
}

// covers reports whether a replayed message has come as far as the one that is shown.
export function covers(replayed: Message, shown: Message): boolean {
  return shown.parts.every((old, i) => {
    const part = replayed.parts[i];
    return part !== undefined && (old.kind !== "text" || part.kind !== "text" || part.text.length >= old.text.length);
  });
}
