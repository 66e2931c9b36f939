// An OAuth and OpenID Connect server that we did not write, with its own pages for sign-in and consent. README.md
// describes the options and the lines on stdin and stdout.

import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

import { Provider, errors } from 'oidc-provider';

import { describe } from './driver.mjs';

console.info = console.error; // stdout is for the test

const defaults = {
  host: '127.0.0.1',
  port: 0,
  clients: [],
  scopes: ['read', 'write'],
  accessTokenTTL: 3600,
  registration: false,
  documents: {},
  resources: [],
  accessTokenFormat: 'opaque',
};

function configuration(options) {
  return {
    clients: options.clients,
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
    scopes: ['openid', 'offline_access', ...options.scopes],
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    findAccount: (ctx, id) => ({ accountId: id, claims: () => ({ sub: id, name: id, email: `${id}@provider.example` }) }),
    pkce: { required: () => true },
    issueRefreshToken: (ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    ttl: { AccessToken: options.accessTokenTTL },
    cookies: { keys: ['a key for tests'] },
    fetch: async (url) => Response.json(options.documents[url] ?? {}, { status: options.documents[url] ? 200 : 404 }),
    features: {
      introspection: { enabled: true },
      revocation: { enabled: true },
      registration: { enabled: options.registration },
      clientIdMetadataDocument: { enabled: Object.keys(options.documents).length > 0, ack: 'draft-02' },
      resourceIndicators: resourceIndicators(options),
    },
  };
}

function resourceIndicators({ resources, scopes, accessTokenTTL, accessTokenFormat }) {
  return {
    enabled: resources.length > 0,
    useGrantedResource: () => true,
    getResourceServerInfo: (ctx, resource) => {
      if (!resources.includes(resource)) throw new errors.InvalidTarget();
      return { scope: scopes.join(' '), accessTokenFormat, accessTokenTTL };
    },
  };
}

/** What the server was asked, and every secret that it gave out or was shown. */
class Book {
  requests = [];
  #secrets = new Map(); // value → kind

  get secrets() {
    return [...this.#secrets].map(([value, kind]) => ({ kind, value }));
  }

  /** Koa middleware around the whole server. */
  async record(ctx, next) {
    await next();
    const body = ctx.oidc?.body ?? {};
    this.requests.push({
      method: ctx.method,
      path: ctx.path,
      status: ctx.status,
      grant: body.grant_type,
      client: ctx.oidc?.client?.clientId,
      error: ctx.body?.error,
    });
    this.#keep(body);
    this.#keep(ctx.body);
    this.#keep(Object.fromEntries(new URL(ctx.response.get('location') || '/', ctx.href).searchParams));
    this.#keepCredentials(ctx.get('authorization'));
  }

  #keep(fields) {
    const kinds = [
      'code', 'code_verifier', 'access_token', 'refresh_token', 'id_token', 'token', 'client_secret',
      'registration_access_token', 'password',
    ];
    for (const kind of kinds) {
      if (typeof fields?.[kind] === 'string' && fields[kind]) this.#secrets.set(fields[kind], kind);
    }
  }

  #keepCredentials(header) {
    const [scheme, value = ''] = header.split(' ');
    if (scheme.toLowerCase() === 'bearer') this.#keep({ access_token: value });
    if (scheme.toLowerCase() !== 'basic') return;
    const [, secret = ''] = Buffer.from(value, 'base64').toString().split(':');
    this.#keep({ client_secret: decodeURIComponent(secret.replaceAll('+', ' ')) });
  }
}

/** Answers some requests with an error, as the test wants it. */
class Faults {
  #planned = new Map(); // path → what to answer, and how often

  plan({ path, status, body = {}, times = 1 }) {
    this.#planned.set(path, { status, body, times });
  }

  async inject(ctx, next) {
    const fault = this.#planned.get(ctx.path);
    if (!fault || fault.times <= 0) return next();
    fault.times--;
    ctx.status = fault.status;
    ctx.body = fault.body;
  }
}

/** Takes the import of a web font out of the pages: tests have no network. */
async function withoutFont(ctx, next) {
  await next();
  if (typeof ctx.body === 'string') ctx.body = ctx.body.replace(/@import url\(https:[^)]*\);/, '');
}

async function start(options) {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const issuer = `http://${options.host}:${server.address().port}`;
  const book = new Book();
  const faults = new Faults();
  const provider = new Provider(issuer, configuration(options));
  provider.use((ctx, next) => book.record(ctx, next));
  provider.use((ctx, next) => faults.inject(ctx, next));
  provider.use(withoutFont);
  server.on('request', provider.callback());
  return { server, issuer, book, faults };
}

function print(line) {
  process.stdout.write(JSON.stringify(line) + '\n');
}

let running;
try {
  running = await start({ ...defaults, ...JSON.parse(process.argv[2] ?? '{}') });
} catch (error) {
  print({ event: 'failed', error: describe(error) });
  process.exit(1);
}
const { server, issuer, book, faults } = running;
print({ event: 'ready', issuer });

const operations = {
  requests: () => book.requests,
  secrets: () => book.secrets,
  fail: (command) => faults.plan(command),
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  try {
    print({ id: command.id, result: operations[command.op](command) ?? null });
  } catch (error) {
    print({ id: command.id, error: describe(error) });
  }
}
server.close();
server.closeAllConnections();
print({ event: 'closed' });
