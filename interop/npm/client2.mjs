// A client on @modelcontextprotocol/client 2.x, which speaks both eras. See README.md.

import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { common, drive, openTransport, tap } from './driver.mjs';

const eras = { legacy: 'legacy', modern: { pin: '2026-07-28' }, auto: 'auto' };

// A schema that lets everything pass, so that the test sees what was on the wire.
const anything = { '~standard': { version: 1, vendor: 'parley', validate: (value) => ({ value }) } };

function newClient(options) {
  const mode = eras[options.era ?? 'legacy'];
  if (!mode) throw new Error(`--era ${options.era}: want ${Object.keys(eras).join(', ')}`);
  return new Client(
    { name: 'parley-interop-sdk2', version: '1.0.0' },
    {
      capabilities: options.capabilities,
      versionNegotiation: { mode },
      inputRequired: { autoFulfill: !options.manual },
      supportedProtocolVersions: options.protocolVersion && [options.protocolVersion],
    },
  );
}

function answerWithError({ code, message, data }) {
  return new ProtocolError(code, message, data);
}

// In the modern era the id of an embedded question is its key in inputRequests.
function listen(client, options, events) {
  if (options.capabilities.elicitation) {
    client.setRequestHandler('elicitation/create', { params: anything, result: anything }, (params, { mcpReq }) => {
      const source = client.getProtocolEra() === 'modern' ? { key: mcpReq.id } : { requestId: mcpReq.id };
      return events.elicit({ ...source, params }, mcpReq.signal, answerWithError);
    });
  }
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => events.emit('complete', params));
  client.fallbackNotificationHandler = async ({ method, params }) => events.emit('notification', { method, params });
  client.onerror = (error) => events.emit('error', { message: error.message });
}

// callTool checks an input_required result against the tool's output schema, so manual mode goes around it.
function requests(client, options) {
  if (!options.manual) {
    return {
      call: (params, o) => client.callTool(params, o),
      prompt: (params, o) => client.getPrompt(params, o),
      read: (params, o) => client.readResource(params, { ...o, cacheMode: 'bypass' }),
    };
  }
  const manually = (method) => (params, o) => client.request({ method, params }, { ...o, allowInputRequired: true });
  return { call: manually('tools/call'), prompt: manually('prompts/get'), read: manually('resources/read') };
}

drive(async (options, events) => {
  const client = newClient(options);
  const transport = openTransport(StreamableHTTPClientTransport, StdioClientTransport, options, events);
  if (options.trace) tap(transport, (direction, message) => events.emit('wire', { direction, message }));
  listen(client, options, events);
  await client.connect(transport, { timeout: options.timeout });

  const session = common(client, transport);
  return {
    ...session,
    ...requests(client, options),
    ready: {
      era: client.getProtocolEra(),
      protocolVersion: client.getNegotiatedProtocolVersion(),
      ...session.ready,
    },
    list: (what, o) => session.list(what, { ...o, cacheMode: 'refresh' }),
    raw: (method, params, o) => client.request({ method, params }, anything, o),
  };
});
