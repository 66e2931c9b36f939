// Node's requests and responses as those of the web.

import { createServer } from 'node:http';
import { Readable } from 'node:stream';

// listen serves what answer returns for a Request, on a port of its own, and tells where.
export function listen(answer, listening) {
  let base;
  async function serve(incoming, outgoing) {
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const bare = incoming.method === 'GET' || incoming.method === 'HEAD';
    const response = await answer(
      new Request(base + incoming.url, {
        method: incoming.method,
        headers: Object.entries(incoming.headers).map(([key, value]) => [key, String(value)]),
        body: bare ? undefined : Readable.toWeb(incoming),
        duplex: 'half',
        signal: gone.signal,
      }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (response.body) for await (const chunk of response.body) outgoing.write(chunk);
    outgoing.end();
  }
  const listener = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error) => {
      if (!outgoing.destroyed) console.error(error);
      outgoing.destroy();
    });
  });
  listener.keepAliveTimeout = 600_000; // as long as a benchmark pauses between its calls
  listener.listen(0, '127.0.0.1', () => {
    base = `http://127.0.0.1:${listener.address().port}`;
    listening(base);
  });
}
