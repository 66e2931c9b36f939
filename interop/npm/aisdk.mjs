// One turn with a question, as a page with the AI SDK has it: the real AbstractChat and DefaultChatTransport of the
// version that the test names. README.md describes the options and what it prints.

import { describe } from './driver.mjs';

console.warn = console.error; // stdout is for the test

const options = JSON.parse(process.argv[2]);
const ai = await import(options.package);
const headers = { cookie: options.cookie, ...options.headers };

/** What a framework keeps of a chat. Whoever waits is told of every change. */
class State {
  #status = 'ready';
  #error;
  #messages;
  #waiting = new Set();

  constructor(messages) {
    this.#messages = messages;
  }

  get status() {
    return this.#status;
  }
  set status(status) {
    this.#status = status;
    this.#tell();
  }
  get error() {
    return this.#error;
  }
  set error(error) {
    this.#error = error;
    this.#tell();
  }
  get messages() {
    return this.#messages;
  }
  set messages(messages) {
    this.#messages = messages;
    this.#tell();
  }

  pushMessage = (message) => {
    this.messages = [...this.#messages, message];
  };
  popMessage = () => {
    this.messages = this.#messages.slice(0, -1);
  };
  replaceMessage = (index, message) => {
    this.messages = this.#messages.with(index, this.snapshot(message));
  };
  snapshot = (thing) => structuredClone(thing);

  /** Waits until look returns something. An error of the chat ends the wait with nothing. */
  until(look) {
    return new Promise((resolve) => {
      const check = () => {
        const seen = look();
        if (!seen && this.#status !== 'error') return;
        this.#waiting.delete(check);
        resolve(seen || undefined);
      };
      this.#waiting.add(check);
      check();
    });
  }

  #tell() {
    for (const check of [...this.#waiting]) check();
  }
}

class Chat extends ai.AbstractChat {
  constructor(messages = []) {
    const state = new State(messages);
    super({
      id: options.conversation,
      state,
      transport: new ai.DefaultChatTransport({ api: `${options.url}/run/api/chat`, headers }),
      onError: (error) => report.errors.push(describe(error)),
      onFinish: () => report.finished++,
      onData: (part) => report.data.push(part.type),
      sendAutomaticallyWhen: options.answer === 'suspend' ? ai.lastAssistantMessageIsCompleteWithApprovalResponses : undefined,
    });
    this.until = (look) => state.until(look);
  }

  get parts() {
    return this.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  }

  /** The question that is open, as a data part. */
  get question() {
    return this.parts.findLast((part) => part.type === 'data-elicitation-request' && !part.data.outcome);
  }

  get tool() {
    return this.parts.findLast((part) => part.type.startsWith('tool-'));
  }
}

const report = { errors: [], finished: 0, data: [] };

async function request(path, body) {
  const response = await fetch(options.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** The ways to answer. Each takes the chat and the part that asks. */
const answers = {
  async endpoint(chat, { data }) {
    const { action, content } = options;
    const body = { conversationId: chat.id, elicitationId: data.elicitationId, action, content };
    report.answered = await request('/run/api/elicitation-responses', body);
  },

  /** A message of the person's with the answer as its part. */
  async part(chat, { data }) {
    const { action, content } = options;
    await chat.sendMessage({
      parts: [{ type: 'data-elicitation-response', data: { elicitationId: data.elicitationId, action, content } }],
    });
  },

  /** The part that asked, with the answer written into it. */
  async written(chat, { data }) {
    const { action, content } = options;
    chat.messages = chat.messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.data?.elicitationId === data.elicitationId ? { ...part, data: { ...part.data, action, content } } : part,
      ),
    }));
    await chat.sendMessage();
  },

  /** The SDK's approval on a stream that stays open. */
  async stream(chat) {
    const tool = await chat.until(() => chat.tool?.state === 'approval-requested' && chat.tool);
    if (!tool) return;
    await chat.addToolApprovalResponse({ id: tool.approval.id, approved: options.approved });
    await chat.sendMessage();
  },

  /** The SDK's approval after the stream has finished; the SDK sends it by itself. */
  async suspend(chat) {
    const tool = await chat.until(() => chat.status === 'ready' && chat.tool?.state === 'approval-requested' && chat.tool);
    if (!tool) return;
    report.suspended = report.finished;
    await chat.addToolApprovalResponse({ id: tool.approval.id, approved: options.approved });
    await chat.until(() => chat.status === 'ready' && chat.tool.state.startsWith('output-'));
  },
};

/** Leaves the chat and opens it again, as a reload of the page does. */
async function reload(chat) {
  await chat.stop();
  const history = await request(`/run/api/chat/${chat.id}`);
  const again = new Chat(history.body.messages);
  return { chat: again, turn: again.resumeStream() };
}

/** What the SDK itself finds wrong with the messages. Version 5.0.0 cannot say. */
async function findings(messages) {
  if (!ai.validateUIMessages) return null;
  try {
    await ai.validateUIMessages({ messages });
    return [];
  } catch (error) {
    return [describe(error)];
  }
}

let chat = new Chat();
let turn = chat.sendMessage({ text: options.text });
const over = () => turn.then(() => undefined);
let question = await Promise.race([chat.until(() => chat.question), over()]);
if (question && options.reload) {
  ({ chat, turn } = await reload(chat));
  question = await Promise.race([chat.until(() => chat.question), over()]);
}
report.question = question?.data;
if (question) await answers[options.answer](chat, question);
await turn;

const history = await request(`/run/api/chat/${chat.id}`);
if (chat.error) report.errors.push(describe(chat.error));
process.stdout.write(
  JSON.stringify({
    ...report,
    status: chat.status,
    messages: chat.messages,
    findings: await findings(chat.messages),
    history: history.body.messages,
    active: history.body.active,
  }) + '\n',
);
process.exit(0);
