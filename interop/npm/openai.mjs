// One turn with a question, as a program with OpenAI's client has it. README.md describes the options and what it prints.

import OpenAI from 'openai';

import { describe } from './driver.mjs';

const options = JSON.parse(process.argv[2]);
const report = { text: '', chunks: 0, questions: [], notices: [], finish: null, error: null };
let wire = Promise.resolve('');

/** Keeps what the server sends, beside what the client makes of it. */
async function recording(url, init) {
  const response = await fetch(url, init);
  const [forClient, forReport] = response.body.tee();
  wire = new Response(forReport).text();
  return new Response(forClient, response);
}

const client = new OpenAI({
  baseURL: `${options.url}/run/v1`,
  apiKey: 'unused',
  maxRetries: 0,
  fetch: recording,
  defaultHeaders: { Authorization: null, Cookie: options.cookie, ...options.headers },
});

async function answer({ elicitationId }) {
  const { conversation: conversationId, action, content } = options;
  const response = await fetch(`${options.url}/run/api/elicitation-responses`, {
    method: 'POST',
    headers: { cookie: options.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ conversationId, elicitationId, action, content }),
  });
  report.answered = { status: response.status, body: await response.json() };
}

async function see(chunk) {
  report.chunks++;
  if (chunk.notice) report.notices.push(chunk.notice);
  if (chunk.elicitation) {
    report.questions.push(chunk.elicitation);
    if (!chunk.elicitation.outcome) await answer(chunk.elicitation);
  }
}

const body = {
  model: 'assistant',
  messages: [{ role: 'user', content: options.text }],
  conversationId: options.conversation,
};

/** The ways to read a completion. */
const readers = {
  async create() {
    for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) {
      await see(chunk);
      report.text += chunk.choices[0]?.delta.content ?? '';
      report.finish = chunk.choices[0]?.finish_reason ?? report.finish;
    }
  },

  /** The helper that puts the chunks together. */
  async stream() {
    const stream = client.chat.completions.stream(body);
    for await (const chunk of stream) await see(chunk);
    const completion = await stream.finalChatCompletion();
    report.text = completion.choices[0].message.content;
    report.finish = completion.choices[0].finish_reason;
  },

  async whole() {
    const completion = await client.chat.completions.create(body);
    report.text = completion.choices[0].message.content;
    report.finish = completion.choices[0].finish_reason;
  },
};

try {
  await readers[options.reader]();
} catch (error) {
  report.error = describe(error);
}
report.done = (await wire).endsWith('data: [DONE]\n\n');
process.stdout.write(JSON.stringify(report) + '\n');
