// A server on @modelcontextprotocol/server 2.x with the tools of ../upstream, written once for both eras: a tool returns
// inputRequired(), and the SDK asks a client up to 2025-11-25 by elicitation/create instead. See README.md.
//
//   /both/mcp    both eras on one URL, the older one with sessions
//   /modern/mcp  2026-07-28 only

import { randomBytes, randomUUID } from 'node:crypto';

import {
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

import { listen } from './web.mjs';

const book = new Map(); // token of a call → what became of it
let base; // scheme and host

function entry(token) {
  if (!book.has(token)) book.set(token, { began: 0, done: 0, refused: 0, expired: 0, stopped: 0 });
  return book.get(token);
}

function ended(token, action) {
  if (action === 'accept') entry(token).done++;
  else entry(token).refused++;
}

const name = (token) =>
  inputRequired.elicit({
    message: `What is your name? (${token})`,
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string', title: 'Name', minLength: 1 } },
      required: ['name'],
    },
  });

const color = (token, name) =>
  inputRequired.elicit({
    message: `Which color do you like best, ${name}? (${token})`,
    requestedSchema: {
      type: 'object',
      properties: { color: { type: 'string', enum: ['red', 'green', 'blue'] } },
      required: ['color'],
    },
  });

const consent = (token) =>
  inputRequired.elicit({
    message: `Are you sure? (${token})`,
    requestedSchema: {
      type: 'object',
      properties: {
        sure: { type: 'boolean', title: 'Sure' },
        copies: { type: 'integer', title: 'Copies', minimum: 1, default: 2 },
      },
      required: ['sure'],
    },
  });

const visit = (token) =>
  inputRequired.elicitUrl({ message: `Please visit this page. (${token})`, url: `${base}/visit/${token}` });

function summary(tool, action, content = {}) {
  const keys = Object.keys(content).sort();
  const filled = keys.length ? ' ' + JSON.stringify(Object.fromEntries(keys.map((key) => [key, content[key]]))) : '';
  return text(`${tool} ${action}${filled}`);
}

const text = (said) => ({ content: [{ type: 'text', text: said }] });

// A tool is a function of its token, the answer to its last question, what it remembered then, and the request. It returns
// a result, or the next question with what to remember. slow works until it is cancelled.
const tools = {
  plain: ({ token }) => {
    ended(token, 'accept');
    return text(`plain ${token}`);
  },
  form: ({ token, answer }) => (answer ? over('form', token, answer) : { ask: name(token) }),
  consent: ({ token, answer }) => (answer ? over('consent', token, answer) : { ask: consent(token) }),
  url: ({ token, answer }) => (answer ? over('url', token, answer) : { ask: visit(token) }),
  rounds: ({ token, answer, memory }) => {
    if (!answer) return { ask: name(token) };
    if (memory.name === undefined && answer.action === 'accept') {
      return { ask: color(token, answer.content.name), memory: { name: answer.content.name } };
    }
    return over('rounds', token, { ...answer, content: { ...memory, ...answer.content } });
  },
  patient: ({ token, answer }) => {
    if (!answer) return { ask: name(token) };
    if (!entry(token).over) return over('patient', token, answer);
    entry(token).expired++;
    return { ...text(`nobody answered in time: ${token}`), isError: true };
  },
  slow: async ({ token, request }) => {
    const progressToken = request._meta?.progressToken;
    if (progressToken !== undefined) {
      const params = { progressToken, progress: 1, message: 'working' };
      await request.notify({ method: 'notifications/progress', params });
    }
    await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
    entry(token).stopped++;
    throw new Error('it was cancelled');
  },
};

function over(tool, token, { action, content }) {
  ended(token, action);
  return summary(tool, action, action === 'accept' ? content : {});
}

const codec = createRequestStateCodec({ key: randomBytes(32), ttlSeconds: 600 });
const input = fromJsonSchema({ type: 'object', properties: { token: { type: 'string' } }, required: ['token'] });

function makeServer() {
  const server = new McpServer(
    { name: 'interop-server2', version: '1.0.0' },
    { requestState: { verify: codec.verify } },
  );
  for (const [title, run] of Object.entries(tools)) {
    server.registerTool(title, { description: `The tool ${title}.`, inputSchema: input }, async ({ token }, ctx) => {
      entry(token).began++;
      const state = ctx.mcpReq.requestState();
      if (state && state.call !== `${title} ${token}`) throw new Error('this requestState is for another call');
      const answer = state && ctx.mcpReq.inputResponses?.answer;
      const { ask, memory, ...result } = await run({ token, answer, memory: state?.memory ?? {}, request: ctx.mcpReq });
      if (!ask) return result;
      const requestState = await codec.mint({ call: `${title} ${token}`, memory: memory ?? {} }, ctx);
      return inputRequired({ inputRequests: { answer: ask }, requestState });
    });
  }
  return server;
}

const modern = createMcpHandler(makeServer, { legacy: 'reject' });
const sessions = new Map(); // id → transport

async function legacy(request) {
  const known = sessions.get(request.headers.get('mcp-session-id'));
  if (known) return known.handleRequest(request);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await makeServer().connect(transport);
  return transport.handleRequest(request);
}

const routes = {
  '/modern/mcp': (request) => modern.fetch(request),
  '/both/mcp': async (request) => ((await isLegacyRequest(request.clone())) ? legacy(request) : modern.fetch(request)),
  '/count': (request, url) => Response.json(entry(url.searchParams.get('token'))),
  '/expire': (request, url) => {
    entry(url.searchParams.get('token')).over = true;
    return new Response();
  },
};

function route(request) {
  const url = new URL(request.url);
  if (routes[url.pathname]) return routes[url.pathname](request, url);
  if (url.pathname.startsWith('/visit/')) return new Response('Thank you. You may close this page.\n');
  return new Response(null, { status: 404 });
}

listen(route, (where) => {
  base = where;
  console.log(`listening on ${base}`);
});

// It ends when the test does.
process.stdin.resume().on('end', () => process.exit(0));
