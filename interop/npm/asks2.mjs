// A tool that asks, on @modelcontextprotocol/server 2.x, for `go run ./bench mcp`: both eras on one URL, the older one
// with sessions.

import { randomUUID } from 'node:crypto';

import {
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

import { report } from './report.mjs';
import { listen } from './web.mjs';

const ask = inputRequired.elicit({
  message: 'Delete account 7? This cannot be undone.',
  requestedSchema: {
    type: 'object',
    properties: { confirmed: { type: 'boolean', description: 'Confirm deletion' } },
    required: ['confirmed'],
  },
});

function makeServer() {
  const server = new McpServer({ name: 'typescript-2', version: '1.0.0' });
  const inputSchema = fromJsonSchema({ type: 'object' });
  server.registerTool('ask', { description: 'Asks.', inputSchema }, async (_, ctx) => {
    const answer = ctx.mcpReq.inputResponses?.answer;
    if (!answer) return inputRequired({ inputRequests: { answer: ask } });
    const structuredContent = { status: answer.action, confirmed: answer.content?.confirmed === true };
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
  });
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

listen(async (request) => ((await isLegacyRequest(request.clone())) ? legacy(request) : modern.fetch(request)), report);
