// A tool that asks, on @modelcontextprotocol/sdk 1.x, for `go run ./bench mcp`. It speaks 2025-11-25, with sessions.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

import { report } from './report.mjs';

const requestedSchema = {
  type: 'object',
  properties: { confirmed: { type: 'boolean', description: 'Confirm deletion' } },
  required: ['confirmed'],
};

function makeServer() {
  const server = new McpServer({ name: 'typescript-1', version: '1.0.0' });
  server.registerTool('ask', { description: 'Asks.' }, async () => {
    const { action, content } = await server.server.elicitInput(
      { message: 'Delete account 7? This cannot be undone.', requestedSchema },
      { timeout: 3_600_000 },
    );
    const structuredContent = { status: action, confirmed: content?.confirmed === true };
    return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
  });
  return server;
}

const sessions = new Map(); // id → transport

async function serve(incoming, outgoing) {
  let transport = sessions.get(incoming.headers['mcp-session-id']);
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await makeServer().connect(transport);
  }
  await transport.handleRequest(incoming, outgoing);
}

const listener = createServer((incoming, outgoing) => {
  serve(incoming, outgoing).catch((error) => {
    if (!outgoing.destroyed) console.error(error);
    outgoing.destroy();
  });
});
listener.keepAliveTimeout = 600_000; // as long as a benchmark pauses between its calls
listener.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${listener.address().port}`));
