import assert from "node:assert/strict";
import { test } from "node:test";
import { Events } from "../../src/sse.js";

const all = (...pieces: string[]) => {
  const events = new Events();
  return pieces.flatMap((piece) => events.push(piece));
};

test("an event is the data up to an empty line", () => {
  assert.deepEqual(all("data: a\n\ndata: b\n\n"), ["a", "b"]);
  assert.deepEqual(all("data: a\n"), []);
});

test("every way of cutting a stream into pieces gives the same events", () => {
  const source = "\ufeff: open\r\n\r\ndata: {\"a\":1}\r\n\r\nevent: x\rdata:two\rdata: lines\r\rid: 7\ndata\n\n: beat\n\ndata: last\n\n";
  const whole = all(source);
  assert.deepEqual(whole, ['{"a":1}', "two\nlines", "", "last"]);
  for (let i = 0; i <= source.length; i++) {
    assert.deepEqual(all(source.slice(0, i), source.slice(i)), whole, `cut at ${i}`);
  }
  assert.deepEqual(all(...source), whole);
});

test("comments and unknown fields are ignored", () => {
  assert.deepEqual(all(": keep-alive\n\nretry: 5\n\nfuture: x\ndata: y\n\n"), ["y"]);
});
