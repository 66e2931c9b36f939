// A host of MCP Apps, for a browser: one of the reference bridges, a client for the model, one for the apps, and a model that
// does what tools tell it to. It is bundled, with "bridge" standing for the one that is wanted. See README.md.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge, getToolUiResourceUri, PostMessageTransport, RESOURCE_MIME_TYPE } from 'bridge';

const info = { name: 'parley-interop-apphost', version: '1.0.0' };
const extension = 'io.modelcontextprotocol/ui';
const waits = 'waitForElicitationResult';
const history = 'conversation'; // where the tab keeps what a reopened conversation mounts again

const host = {
  options: { url: '', era: '2025-11-25', sessions: 1, mount: 'parallel', trusting: false, theme: 'light', timeout: 60_000 },
  heard: [], // what the model got, in order: {tool, arguments, text, isError, meta} or {tool, arguments, failed}
  calls: [], // what apps called: {view, tool, arguments, result} or {…, failed}
  links: [], // what apps wanted to be opened
  views: [], // the apps: {tool, frame, bridge, mounted}
  turns: [], // what the model got last, of each of its turns that is over; null: it is not
  calling: undefined, // the tool that the model waits for
  alter: undefined, // changes the arguments of an app's call
};
globalThis.host = host;

async function client(url) {
  const { era, token } = host.options;
  const c = new Client(info, {
    capabilities: { extensions: { [extension]: { mimeTypes: [RESOURCE_MIME_TYPE] } } },
    versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
  });
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  await c.connect(new StreamableHTTPClientTransport(new URL(url, location.href), { requestInit: { headers } }));
  return c;
}

// connect begins a conversation. With two sessions apps call in another one than the model does, as in Claude.
host.connect = async (options) => {
  Object.assign(host.options, options);
  document.documentElement.style.colorScheme = host.options.theme;
  const { url, apps, sessions } = host.options;
  host.model = await client(url);
  host.apps = sessions === 2 ? await client(apps ?? url) : host.model;
  await host.list();
  return host.model.getNegotiatedProtocolVersion();
};

host.list = async () => {
  const { tools } = await host.model.listTools();
  host.tools = new Map(tools.map((tool) => [tool.name, tool]));
  return tools;
};

const forApps = (name) => host.tools.get(name)?._meta?.ui?.visibility?.includes('app') ?? host.tools.has(name);
const texts = (result) => (result.content ?? []).map((c) => c.text ?? '').join('\n');

// call is a call of the model's: the client draws the tool's user interface, if it has one, and hands the model the text.
host.call = async (tool, args = {}) => {
  const uri = host.tools.has(tool) ? getToolUiResourceUri(host.tools.get(tool)) : undefined;
  const timeout = tool === waits ? host.options.timeout : 60_000;
  host.calling = tool;
  const result = host.model.callTool({ name: tool, arguments: args }, { timeout });
  if (uri && host.options.mount !== 'never') draw({ tool, uri, args, result, mount: host.options.mount });
  const entry = { tool, arguments: args };
  try {
    const r = await result;
    Object.assign(entry, { text: texts(r), isError: r.isError === true, meta: r._meta });
  } catch (error) {
    entry.failed = String(error.message ?? error);
  }
  host.calling = undefined;
  host.heard.push(entry);
  say(tool, entry.text ?? entry.failed);
  return entry;
};

// turn is the model's: it calls a tool, and then what it is told to, until it is told nothing more. A wait that broke off is
// repeated.
host.turn = (tool, args) => {
  const n = host.turns.push(null) - 1;
  void (async () => {
    let broken = 0;
    let got;
    for (let next = { tool, args }; next; ) {
      got = await host.call(next.tool, next.args);
      if (got.failed === undefined) next = told(got.text, next.args);
      else if (next.tool !== waits || ++broken > 50) next = undefined;
      else if (/session not found/.test(got.failed)) host.model = await client(host.options.url); // as the specification has it
    }
    host.turns[n] = got;
  })();
  return n;
};

function told(text, { elicitId } = {}) {
  const show = /call the (\w+) tool with elicitId "([^"]+)"/i.exec(text);
  if (show) return { tool: show[1], args: { elicitId: show[2] } };
  const wait = /call (\w+) (?:with the same elicitId|again)/i.exec(text);
  return wait && elicitId ? { tool: wait[1], args: { elicitId } } : undefined;
}

// reopen draws what was drawn before the page was loaded again. Some hosts have kept what the tools got and returned, some
// have not (mount "bare").
host.reopen = () => {
  for (const { tool, uri, args, result } of JSON.parse(sessionStorage.getItem(history) ?? '[]')) {
    draw({ tool, uri, args, result: Promise.resolve(result), mount: host.options.mount, reopened: true });
  }
  return host.views.length;
};

function remember(entry) {
  sessionStorage.setItem(history, JSON.stringify([...JSON.parse(sessionStorage.getItem(history) ?? '[]'), entry]));
}

// draw mounts an app.
//   parallel  while the call runs, and says what the tool was called with
//   held      the same without that: all that it hears is the result
//   after     when the call has ended
//   bare      it hears nothing
function draw({ tool, uri, args, result, mount, reopened }) {
  const view = { tool, mounted: false, failed: undefined };
  host.views.push(view);
  if (!reopened) result.then((r) => remember({ tool, uri, args, result: r }), () => {});
  const begin = mount === 'after' ? result : Promise.resolve();
  begin
    .then(() => show(view, uri))
    .then(async (bridge) => {
      if (mount === 'parallel' || mount === 'after') await bridge.sendToolInput({ arguments: args });
      const r = await result;
      if (mount !== 'bare') await bridge.sendToolResult(r);
    })
    .catch((error) => { view.failed = String(error.message ?? error); });
}

async function show(view, uri) {
  const { contents } = await host.apps.readResource({ uri });
  const { text: html, _meta: meta } = contents[0];
  const { theme } = host.options;
  const bridge = (view.bridge = new AppBridge(null, info, { serverTools: {}, openLinks: {} }, { hostContext: { theme, displayMode: 'inline' } }));
  const frame = (view.frame = document.createElement('iframe'));
  frame.title = `App ${host.views.indexOf(view)}`;
  bridge.oncalltool = (params) => appCalls(view, params);
  bridge.onreadresource = (params) => host.apps.readResource(params);
  bridge.onopenlink = async ({ url }) => {
    host.links.push(url);
    window.open(url, '_blank');
    return {};
  };
  bridge.onsizechange = ({ height }) => {
    if (height) frame.style.height = `${height}px`;
  };
  const initialized = new Promise((done) => { bridge.oninitialized = done; });
  const ready = heard(frame, 'ui/notifications/sandbox-proxy-ready');
  frame.src = `${document.body.dataset.sandbox}/?csp=${encodeURIComponent(JSON.stringify(meta?.ui?.csp ?? {}))}`;
  document.querySelector('main').append(frame);
  await ready;
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await bridge.sendSandboxResourceReady({ html, csp: meta?.ui?.csp });
  await initialized;
  view.mounted = true;
  return bridge;
}

// appCalls makes the call of an app. A host that checks refuses what is not for apps; one that does not leaves it to the server.
async function appCalls(view, { name, arguments: args, _meta }) {
  const entry = { view: host.views.indexOf(view), tool: name, arguments: args };
  host.calls.push(entry);
  try {
    if (!host.options.trusting && !forApps(name)) throw new Error(`${name} is not for apps`);
    return (entry.result = await host.apps.callTool({ name, arguments: host.alter?.(name, args) ?? args, _meta }));
  } catch (error) {
    entry.failed = String(error.message ?? error);
    throw error;
  }
}

const heard = (frame, method) =>
  new Promise((done) => {
    addEventListener('message', function listen({ source, data }) {
      if (source !== frame.contentWindow || data?.method !== method) return;
      removeEventListener('message', listen);
      done();
    });
  });

function say(tool, text) {
  const p = document.createElement('p');
  p.append(Object.assign(document.createElement('b'), { textContent: tool }), ` ${text}`);
  document.querySelector('main').append(p);
}

// cover lays something over an app, or takes it away.
host.cover = (n, on) => {
  const { frame } = host.views[n];
  document.getElementById('cover')?.remove();
  if (!on) return;
  const { left, top, width, height } = frame.getBoundingClientRect();
  const cover = Object.assign(document.createElement('div'), { id: 'cover' });
  Object.assign(cover.style, { position: 'absolute', left: `${left + scrollX}px`, top: `${top + scrollY}px`, width: `${width}px`, height: `${height}px`, background: '#fff', pointerEvents: 'none' });
  document.body.append(cover);
};

host.look = (context) => {
  document.documentElement.style.colorScheme = context.theme ?? host.options.theme;
  for (const { bridge } of host.views) bridge?.setHostContext(context);
};

host.teardown = (n) => host.views[n].bridge.teardownResource({});
