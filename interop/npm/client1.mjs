// A client on @modelcontextprotocol/sdk 1.x, which speaks the revisions up to 2025-11-25. See README.md.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  McpError,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';

import { common, drive, openTransport, tap } from './driver.mjs';

// Watches the wire for what the SDK does not show: the negotiated revision, and questions whole (the handler's request has
// passed a schema that drops what it does not know).
function watch(transport, options, events) {
  const questions = new Map(); // JSON-RPC id → params
  const seen = { protocolVersion: undefined, question };
  tap(transport, (direction, message) => {
    if (options.trace) events.emit('wire', { direction, message });
    if (direction === 'out') return;
    if (message.method === 'elicitation/create') questions.set(message.id, message.params);
    seen.protocolVersion ??= message.result?.protocolVersion;
  });
  return seen;

  function question(id) {
    const params = questions.get(id);
    questions.delete(id);
    return params;
  }
}

function answerWithError({ code, message, data }) {
  const error = new McpError(code, message, data);
  error.message = message; // the SDK would send its own prefix along
  return error;
}

function listen(client, options, events, seen) {
  if (options.capabilities.elicitation) {
    client.setRequestHandler(ElicitRequestSchema, (_, { requestId, signal }) =>
      events.elicit({ requestId, params: seen.question(requestId) }, signal, answerWithError),
    );
  }
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => events.emit('complete', params));
  client.fallbackNotificationHandler = async ({ method, params }) => events.emit('notification', { method, params });
  client.onerror = (error) => events.emit('error', { message: error.message });
}

drive(async (options, events) => {
  if (options.era && options.era !== 'legacy') throw new Error(`sdk 1.x has no ${options.era} era`);
  if (options.manual) throw new Error('sdk 1.x has no manual mode');
  if (options.protocolVersion) throw new Error('sdk 1.x always offers its newest protocol version');

  const client = new Client(
    { name: 'parley-interop-sdk1', version: '1.0.0' },
    { capabilities: options.capabilities },
  );
  const transport = openTransport(StreamableHTTPClientTransport, StdioClientTransport, options, events);
  const seen = watch(transport, options, events);
  listen(client, options, events, seen);
  await client.connect(transport, { timeout: options.timeout });

  const session = common(client, transport);
  return {
    ...session,
    ready: { era: 'legacy', protocolVersion: seen.protocolVersion, ...session.ready },
    call: (params, o) => client.callTool(params, CallToolResultSchema, o),
    prompt: (params, o) => client.getPrompt(params, o),
    read: (params, o) => client.readResource(params, o),
    raw: (method, params, o) => client.request({ method, params }, ResultSchema, o),
  };
});
