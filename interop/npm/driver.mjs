// The half of the test clients that does not depend on an SDK: the command line, the line protocol with the Go test on
// stdin and stdout, and the book of questions that wait for an answer. README.md describes the protocol.
//
// A client program calls drive(open). open(options, events) connects and returns a session:
//
//   ready                       what the ready event shows: protocolVersion, serverInfo, capabilities, …
//   call(params, options)       tools/call; options are the SDK's request options
//   prompt(params, options)     prompts/get
//   read(params, options)       resources/read
//   list(what, options)         tools, prompts, resources or resourceTemplates
//   raw(method, params, options)
//   send(message)               one JSON-RPC message, past the SDK
//   close(terminate)            terminate: end the session with DELETE first

import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { parseSignIn } from './signin.mjs';

const flags = {
  url: { type: 'string' },
  'sign-in': { type: 'string' },
  header: { type: 'string', multiple: true, default: [] },
  era: { type: 'string' },
  'protocol-version': { type: 'string' },
  modes: { type: 'string', default: 'form,url' },
  'no-elicitation': { type: 'boolean', default: false },
  capabilities: { type: 'string' },
  timeout: { type: 'string' },
  'max-total-timeout': { type: 'string' },
  'reset-on-progress': { type: 'boolean', default: false },
  'no-progress': { type: 'boolean', default: false },
  manual: { type: 'boolean', default: false },
  trace: { type: 'boolean', default: false },
};

/** Reads the command line. What follows `--` is a server's command, for stdio instead of --url. */
export function parseOptions(args) {
  const { values, positionals } = parseArgs({ args, options: flags, allowPositionals: true });
  if (!values.url === (positionals.length === 0)) throw new Error('give either --url or -- command');
  return {
    url: values.url && new URL(values.url),
    command: positionals,
    signIn: parseSignIn(values['sign-in']),
    headers: Object.fromEntries(values.header.map(parseHeader)),
    era: values.era,
    protocolVersion: values['protocol-version'],
    capabilities: capabilities(values),
    timeout: milliseconds(values.timeout),
    maxTotalTimeout: milliseconds(values['max-total-timeout']),
    resetOnProgress: values['reset-on-progress'],
    progress: !values['no-progress'],
    manual: values.manual,
    trace: values.trace,
  };
}

function parseHeader(line) {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error(`--header ${line}: want 'Name: value'`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

function milliseconds(text) {
  if (text === undefined) return undefined;
  const n = Number(text);
  if (!Number.isInteger(n) || n <= 0) throw new Error(`${text}: want milliseconds`);
  return n;
}

// An empty --modes declares elicitation without naming a mode, which means form.
function capabilities(values) {
  if (values.capabilities !== undefined) return JSON.parse(values.capabilities);
  if (values['no-elicitation']) return {};
  const modes = values.modes.split(',').filter(Boolean);
  return { elicitation: Object.fromEntries(modes.map((mode) => [mode, {}])) };
}

function print(line) {
  process.stdout.write(JSON.stringify(line) + '\n');
}

/** What a session reports to the Go test. */
export class Events {
  #open = new Map(); // number of a question → how to settle it
  #last = 0;
  #held = []; // what happened while connecting; undefined once the outcome is known

  emit(event, fields) {
    const line = { event, ...fields };
    if (this.#held) this.#held.push(line);
    else print(line);
  }

  /** Prints how connecting ended as the first line, then what happened meanwhile. */
  connected(event, fields) {
    print({ event, ...fields });
    this.#held.forEach(print);
    this.#held = undefined;
  }

  /**
   * Shows a question and waits for its answer. fields.params are the parameters as received. The promise rejects with
   * what makeError makes of an answer that is an error, and when the signal says that the server withdrew the question.
   */
  elicit(fields, signal, makeError) {
    const n = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(n, { resolve, reject: (error) => reject(makeError(error)) });
      signal?.addEventListener('abort', () => {
        if (!this.#open.delete(n)) return;
        this.emit('withdrawn', { n, reason: reasonText(signal.reason) });
        reject(makeError({ code: -32603, message: 'withdrawn' }));
      });
      this.emit('elicitation', { n, ...fields });
    });
  }

  answer({ answer: n, result, error }) {
    const question = this.#open.get(n);
    if (!question) return this.emit('error', { message: `no open question ${n}` });
    this.#open.delete(n);
    if (error) question.reject(error);
    else question.resolve(result);
  }
}

function reasonText(reason) {
  return reason instanceof Error ? reason.message : reason;
}

/** An error as JSON. kind is the SDK's class of it; README.md says which of them came from the server. */
export function describe(error) {
  if (!(error instanceof Error)) return { kind: typeof error, message: String(error) };
  return {
    kind: error.constructor.name,
    code: error.code,
    message: error.message.replace(/^MCP error -?\d+: /, ''),
    data: error.data,
    cause: error.cause instanceof Error ? describe(error.cause) : undefined,
  };
}

/** Makes the transport the options ask for, of the SDK's two classes. */
export function openTransport(Http, Stdio, options, events) {
  if (options.url) {
    const { headers, signIn } = options;
    const transport = new Http(options.url, { requestInit: { headers }, fetch: tracedFetch(options, events), authProvider: signIn });
    if (signIn) signIn.transport = transport;
    return transport;
  }
  const [command, ...args] = options.command;
  return new Stdio({ command, args, stderr: 'inherit' });
}

/** Wraps fetch: reports when the stream for server messages is open, when the server has taken a cancellation, and with --trace every exchange. */
function tracedFetch(options, events) {
  return async (url, init = {}) => {
    const response = await fetch(url, init);
    const method = init.method ?? 'GET';
    if (options.trace) {
      events.emit('http', {
        method,
        status: response.status,
        request: Object.fromEntries(new Headers(init.headers)),
        response: Object.fromEntries(response.headers),
      });
    }
    if (method === 'GET' && response.ok) events.emit('stream', {});
    if (typeof init.body === 'string' && init.body.includes('"method":"notifications/cancelled"')) events.emit('cancelled', { status: response.status });
    return response;
  };
}

/** The part of a session that both SDKs spell alike. */
export function common(client, transport) {
  const methods = { tools: 'listTools', prompts: 'listPrompts', resources: 'listResources', resourceTemplates: 'listResourceTemplates' };
  return {
    ready: {
      serverInfo: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
      sessionId: transport.sessionId,
    },
    list: (what, options) => client[methods[what]](undefined, options),
    send: (message) => transport.send(message),
    close: async (terminate) => {
      if (terminate) await transport.terminateSession?.();
      await client.close();
    },
  };
}

/** Calls seen(direction, message) for every JSON-RPC message that passes the transport, before the SDK sees it. */
export function tap(transport, seen) {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    seen('out', message);
    return send(message, options);
  };
  let handler = transport.onmessage;
  Object.defineProperty(transport, 'onmessage', {
    get: () => handler,
    set: (next) => {
      handler = next && ((message, extra) => {
        seen('in', message);
        next(message, extra);
      });
    },
  });
}

function requestOptions(options, events, command, signal) {
  const onprogress = (progress) => events.emit('progress', { id: command.id, ...progress });
  const all = {
    signal,
    timeout: command.timeout ?? options.timeout,
    maxTotalTimeout: options.maxTotalTimeout,
    resetTimeoutOnProgress: options.resetOnProgress || undefined,
    onprogress: (command.progress ?? options.progress) ? onprogress : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

const operations = {
  call: (session, command, options) => session.call(params(command), options),
  prompt: (session, command, options) => session.prompt(params(command), options),
  read: (session, command, options) => session.read(params(command), options),
  list: (session, command, options) => session.list(command.what ?? 'tools', options),
  raw: (session, command, options) => session.raw(command.method, command.params, options),
  send: (session, command) => session.send(command.message),
};

// Everything else in a command belongs to the request: name, arguments, uri, inputResponses, requestState, _meta.
function params({ id, op, timeout, progress, ...params }) {
  return params;
}

async function run(session, options, events, inFlight, command) {
  const operation = operations[command.op];
  if (!operation) throw new Error(`unknown op ${command.op}`);
  const abort = new AbortController();
  inFlight.set(command.id, abort);
  try {
    return await operation(session, command, requestOptions(options, events, command, abort.signal));
  } finally {
    inFlight.delete(command.id);
  }
}

/** Runs a client program: connects, then obeys the lines on stdin until close or end of file. */
export async function drive(open) {
  const events = new Events();
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let options, session;
  try {
    options = parseOptions(process.argv.slice(2));
    const connect = () => open(options, events);
    const nextLine = async () => JSON.parse((await lines.next()).value);
    session = await (options.signIn?.connect(connect, print, nextLine) ?? connect());
  } catch (error) {
    events.connected('failed', { error: describe(error) });
    process.exit(1);
  }
  events.connected('ready', session.ready);

  const inFlight = new Map(); // id of a command → AbortController
  let terminate = false;
  for await (const line of lines) {
    if (!line.trim()) continue;
    const command = JSON.parse(line);
    if ('answer' in command) {
      events.answer(command);
    } else if (command.op === 'cancel') {
      inFlight.get(command.call)?.abort(command.reason ?? 'cancelled by the test');
    } else if (command.op === 'close') {
      terminate = command.terminate ?? false;
      break;
    } else {
      run(session, options, events, inFlight, command).then(
        (result) => print({ id: command.id, result: result ?? null }),
        (error) => print({ id: command.id, error: describe(error) }),
      );
    }
  }
  await session.close(terminate).catch((error) => events.emit('error', describe(error)));
  events.emit('closed', {});
  process.exit(0);
}
