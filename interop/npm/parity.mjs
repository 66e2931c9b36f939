// Uses all that a server offers, and prints what came of it as one JSON object: a member for each list entry, call, prompt,
// resource, completion and notification. The test compares what it prints of a server and of the gateway in front of it.
// See README.md.
//
//   echo SPEC | node parity.mjs
//
// SPEC is {client: 1 or 2, era, url, token, command, prefix, calls, answers, skip, prompts, reads, completions, progress, session, updates, logs}.

import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const spec = JSON.parse(await text(process.stdin));
const prefix = spec.prefix ?? '';
const anything = { '~standard': { version: 1, vendor: 'parley', validate: (value) => ({ value }) } };
const heard = [];
const out = {};

const roots = { roots: [{ uri: 'file:///srv/parity', name: 'parity' }] };
const sample = { role: 'assistant', model: 'parity', content: { type: 'text', text: 'a sample' } };
const decline = { action: 'decline' };

// answer is what the person says to a question, by the words in it.
const answer = ({ message }) => Object.entries(spec.answers ?? {}).find(([words]) => message.includes(words))?.[1] ?? decline;

async function connect() {
  const transport = spec.url
    ? new (spec.client === 1 ? Http1 : Http2)(new URL(spec.url), { requestInit: { headers: spec.token ? { Authorization: `Bearer ${spec.token}` } : {} } })
    : new (spec.client === 1 ? Stdio1 : Stdio2)({ command: spec.command[0], args: spec.command.slice(1), stderr: 'ignore' });
  const info = { name: 'parity', version: '1' };
  let client;
  if (spec.client === 1) {
    client = new Client1(info, { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
    client.setRequestHandler(CreateMessageRequestSchema, () => sample);
    client.setRequestHandler(ListRootsRequestSchema, () => roots);
  } else {
    const mode = spec.era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
    client = new Client2(info, { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode } });
    client.setRequestHandler('elicitation/create', { params: anything, result: anything }, answer);
  }
  client.fallbackNotificationHandler = async ({ method, params }) => void heard.push({ method, params });
  await client.connect(transport);
  const schema = spec.client === 1 ? z.any() : anything;
  return { client, ask: (method, params, options) => client.request({ method, params }, schema, { timeout: 60_000, ...options }) };
}

const { client, ask } = await connect();

async function note(key, work) {
  try {
    out[key] = await work();
  } catch (error) {
    out[key] = { error: { code: error.code, message: String(error.message).slice(0, 300) } };
  }
}

const own = (name) => (name.startsWith(prefix) ? name.slice(prefix.length) : `? ${name}`);

async function list(method, member, kind, name) {
  let all = [];
  await note(`list ${kind}`, async () => {
    all = (await ask(method, {}))[member];
    // A server that starts slowly is listed a moment later.
    for (let i = 0; prefix && kind === 'tool' && all.length === 0 && i < 60; i++) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      all = (await ask(method, {}))[member];
    }
    return `${all.length} listed`;
  });
  for (const entry of all) {
    if (kind === 'tool' || kind === 'prompt') entry.name = own(entry.name);
    out[`${kind} ${entry[name]}`] = entry;
  }
  return all;
}

async function call(tool) {
  const params = { name: prefix + tool.name, arguments: spec.calls?.[tool.name] ?? {} };
  if (tool.execution?.taskSupport === 'required') {
    const { task } = await ask('tools/call', { ...params, task: {} });
    return ask('tasks/result', { taskId: task.taskId });
  }
  let steps = 0;
  const result = await ask('tools/call', params, { onprogress: () => void steps++ });
  if (steps > 0 && spec.progress?.includes(tool.name)) out[`progress ${tool.name}`] = "told";
  return result;
}

// told waits for a notification that was not there before.
async function told(method, since, about = () => true) {
  for (let i = 0; i < 200; i++) {
    const found = heard.slice(since).find((n) => n.method === method && about(n.params ?? {}));
    if (found) return found.params ?? {};
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('nothing was heard');
}

out.instructions = client.getInstructions() ?? '';
const tools = await list('tools/list', 'tools', 'tool', 'name');
const prompts = await list('prompts/list', 'prompts', 'prompt', 'name');
const resources = await list('resources/list', 'resources', 'resource', 'uri');
await list('resources/templates/list', 'resourceTemplates', 'template', 'uriTemplate');

for (const tool of tools) {
  if (!spec.skip?.includes(tool.name)) await note(`call ${tool.name}`, () => call(tool));
}
for (const prompt of prompts) {
  await note(`get ${prompt.name}`, () => ask('prompts/get', { name: prefix + prompt.name, arguments: spec.prompts?.[prompt.name] ?? {} }));
}
for (const uri of [...resources.map((r) => r.uri), ...(spec.reads ?? [])]) {
  await note(`read ${uri}`, () => ask('resources/read', { uri }));
}
for (const params of spec.completions ?? []) {
  const key = `complete ${params.ref.name ?? params.ref.uri} ${params.argument.name}`;
  const ref = params.ref.name ? { ...params.ref, name: prefix + params.ref.name } : params.ref;
  await note(key, () => ask('completion/complete', { ...params, ref }));
}
if (spec.session) { // a resource that a tool makes for this session alone
  const since = heard.length;
  await note(`notified ${spec.session.tool}`, async () => {
    const made = await ask('tools/call', { name: prefix + spec.session.tool, arguments: spec.session.arguments });
    await told('notifications/resources/list_changed', since);
    const uris = (await ask('resources/list', {})).resources.map((r) => r.uri);
    return { made, listed: uris.includes(spec.session.uri), read: (await ask('resources/read', { uri: spec.session.uri })).contents };
  });
}
if (spec.updates) {
  const since = heard.length;
  await note('notified of an update', async () => {
    await ask('resources/subscribe', { uri: spec.updates.uri });
    await ask('tools/call', { name: prefix + spec.updates.tool, arguments: {} });
    const first = await told('notifications/resources/updated', since);
    await ask('resources/unsubscribe', { uri: spec.updates.uri });
    return first;
  });
}
if (spec.logs) {
  const since = heard.length;
  await note('notified of a log message', async () => {
    await ask('logging/setLevel', { level: 'debug' });
    await ask('tools/call', { name: prefix + spec.logs, arguments: {} });
    return Object.keys(await told('notifications/message', since)).sort();
  });
}

await client.close();
process.stdout.write(`${JSON.stringify(out)}\n`, () => process.exit(0));
