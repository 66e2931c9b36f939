// A client of A2A, on @a2a-js/sdk in two versions. README.md describes the options, the lines that it takes and those that it prints.

import { createInterface } from 'node:readline';

const options = JSON.parse(process.argv[2]);
const old = options.package === 'a2a-0.3';
const types = old ? {} : await import('a2a-1');
const sdk = await import(old ? 'a2a-0.3/client' : 'a2a-1/client');

/** Sends the token of the person for whom this client acts. */
function acting(url, init = {}) {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${options.token}`);
  return fetch(url, { ...init, headers });
}

const legacyCompat = { enabled: options.compat === true };
const kinds = { JSONRPC: sdk.JsonRpcTransportFactory, 'HTTP+JSON': sdk.RestTransportFactory };
const factory = new sdk.ClientFactory({
  transports: [new kinds[options.transport]({ fetchImpl: acting, legacyCompat })],
  preferredTransports: [options.transport],
  cardResolver: new sdk.DefaultAgentCardResolver({ legacyCompat }),
});

/** The card, with only the interfaces of 0.3 if this client is to speak that. */
async function connect() {
  if (!options.compat) return factory.createFromUrl(options.url, '.well-known/agent-card.json');
  const card = await new sdk.DefaultAgentCardResolver({ legacyCompat }).resolve(options.url, '.well-known/agent-card.json');
  card.supportedInterfaces = card.supportedInterfaces.filter((i) => i.protocolVersion.startsWith('0.3'));
  return factory.createFromAgentCard(card);
}

let sent = 0;

/** What to send, in the words of the version. */
function request({ task, text, answer, extensions }) {
  const messageId = `js-${process.pid}-${++sent}`;
  const parts = [];
  if (text !== undefined) parts.push(old ? { kind: 'text', text } : { text });
  if (answer !== undefined) parts.push(old ? { kind: 'data', data: answer } : { data: answer, mediaType: 'application/json' });
  const message = { messageId, parts, extensions, ...(task && { taskId: task }) };
  if (old) return { message: { kind: 'message', role: 'user', ...message } };
  return types.SendMessageRequest.fromJSON({ message: { role: 'ROLE_USER', ...message } });
}

const plain = (state) => state?.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
const texts = (parts = []) => parts.flatMap((p) => (p.text === undefined ? [] : [p.text])).join('\n');
const data = (parts = []) => parts.flatMap((p) => (p.data === undefined ? [] : [p.data]));

const status = (s) => ({ state: plain(s.state), text: texts(s.message?.parts), questions: data(s.message?.parts), extensions: s.message?.extensions });

function taskOf(t) {
  return {
    task: t.id, context: t.contextId, ...status(t.status),
    artifacts: (t.artifacts ?? []).map((a) => texts(a.parts)), history: (t.history ?? []).map((m) => m.messageId),
  };
}

/** An event in short, whichever version it came in. */
function shown(event) {
  if (old) {
    if (event.kind === 'task') return { kind: 'task', ...taskOf(event) };
    if (event.kind === 'status-update') return { kind: 'status', task: event.taskId, final: event.final, ...status(event.status) };
    return { kind: event.kind, text: texts(event.artifact?.parts) };
  }
  const e = types.StreamResponse.toJSON(event);
  if (e.task) return { kind: 'task', ...taskOf(e.task) };
  if (e.statusUpdate) return { kind: 'status', task: e.statusUpdate.taskId, ...status(e.statusUpdate.status) };
  if (e.artifactUpdate) return { kind: 'artifact', text: texts(e.artifactUpdate.artifact.parts) };
  return { kind: 'nothing', raw: e };
}

/** The schemes of each alternative that a card offers, with their scopes. That of both versions the SDK leaves for others to read. */
const needed = (card) => (old ? card.security : types.AgentCard.fromJSON(card).securityRequirements).map((one) => {
  const schemes = old ? one : one.schemes;
  return Object.keys(schemes).map((name) => [name, ...(schemes[name].list ?? schemes[name])].join(' ')).join();
});

/** Where a push configuration leads. */
const pushed = (config) => (config.pushNotificationConfig ?? config).url;

const whole = (task) => taskOf(old ? task : types.Task.toJSON(task));

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function stream(id, events) {
  for await (const event of events) say({ event: 'heard', id, result: shown(event) });
  return {};
}

const calls = {
  send: async (c, line) => whole(await c.sendMessage(request(line))),
  stream: (c, line) => stream(line.id, c.sendMessageStream(request(line))),
  get: async (c, { task }) => whole(await c.getTask({ id: task })),
  cancel: async (c, { task }) => whole(await c.cancelTask({ id: task })),
  subscribe: (c, line) => stream(line.id, c.resubscribeTask({ id: line.task })),
  async list(c, { status }) {
    const page = types.ListTasksResponse.toJSON(await c.listTasks(types.ListTasksRequest.fromJSON({ status })));
    return { tasks: (page.tasks ?? []).map(taskOf), total: page.totalSize };
  },
  async card(c) {
    const needs = needed(c.agentCard);
    const card = await c.getAgentCard();
    return { name: card.name, skills: (card.skills ?? []).map((s) => s.id), needs };
  },
  async push(c, { task, url, token }) {
    const name = old ? { id: task, pushNotificationConfigId: 'c1' } : { tenant: '', taskId: task, id: 'c1' };
    const made = old
      ? await c.setTaskPushNotificationConfig({ taskId: task, pushNotificationConfig: { id: 'c1', url, token } })
      : await c.createTaskPushNotificationConfig(types.TaskPushNotificationConfig.fromJSON({ taskId: task, id: 'c1', url, token }));
    const read = await c.getTaskPushNotificationConfig(name);
    const listed = async () => {
      const page = await c.listTaskPushNotificationConfig(old ? { id: task } : types.ListTaskPushNotificationConfigsRequest.fromJSON({ taskId: task }));
      return (page.configs ?? page).map(pushed);
    };
    const all = await listed();
    await c.deleteTaskPushNotificationConfig(name);
    return { made: pushed(made), read: pushed(read), listed: all, left: await listed() };
  },
};

async function perform(client, line) {
  try {
    say({ id: line.id, result: await calls[line.op](client, line) });
  } catch (error) {
    const { code, message } = error?.errorResponse?.error ?? error; // 0.3.14 has words of its own
    say({ id: line.id, error: { kind: error?.constructor?.name, code, message: String(message ?? error) } });
  }
}

try {
  const client = await connect();
  say({ event: 'ready' });
  for await (const line of createInterface({ input: process.stdin })) perform(client, JSON.parse(line));
} catch (error) {
  say({ event: 'failed', error: { message: String(error?.stack ?? error) } });
  process.exitCode = 1;
}
process.exit();
