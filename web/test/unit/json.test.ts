import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, parseExactly, pretty, shown, textual, written } from "../../src/json.js";
import { visible } from "../../src/legible.js";

test("a laid out JSON text keeps every token as it was", () => {
  assert.equal(pretty('{"b":18446744073709551615,"2":1.0,"1":[],"1":{},"s":"a:{,}\\"\\u0041"}'), [
    "{",
    '  "b": 18446744073709551615,',
    '  "2": 1.0,',
    '  "1": [],',
    '  "1": {},',
    '  "s": "a:{,}\\"\\u0041"',
    "}",
  ].join("\n"));
  assert.equal(pretty(' [ 1 , [ ] , { "a" : null } ] '), '[\n  1,\n  [],\n  {\n    "a": null\n  }\n]');
  assert.equal(pretty('"text"'), '"text"');
});

test("a large text and a deep one are laid out", () => {
  const large = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, tags: [] })));
  assert.equal(pretty(large).split("\n").length, 4 * 100_000 + 2);
  const deep = "[".repeat(1000) + "1" + "]".repeat(1000);
  assert.ok(pretty(deep).length < 100 * deep.length);
});

test("numbers stay as they were written", () => {
  const odd = '{"a":0.1000000000000000055,"b":[9007199254740993,1.0,-0,1e3,1E-7],"c":"1.0 \\" 2.0","d":null,"e":true,"f":12,"g":-0.5}';
  assert.equal(written(parseExactly(odd)), odd);
  assert.equal(shown(parseExactly('[1.0,{"a":[]}]')), '[\n  1.0,\n  {\n    "a": []\n  }\n]');
  assert.deepEqual(textual(parseExactly("[9007199254740991,9007199254740992,0.30000000000000004,0.3]")), [9007199254740991, "9007199254740992", "0.30000000000000004", 0.3]);
  assert.deepEqual(textual(parseExactly('{"a":0.1000000000000000055,"b":[1.0,2],"c":"1.0"}')), { a: "0.1000000000000000055", b: ["1.0", 2], c: "1.0" });
  assert.equal(textual(undefined), undefined);
  for (const plain of ['{"a":[1,-2.5,"x"],"b":{}}', '"x"', "7", "{", "", '{"a":0.1000000000000000055']) assert.deepEqual(parseExactly(plain), parse(plain), plain);
  const long = JSON.stringify(["x\\\"".repeat(2_000_000)]);
  assert.equal(written(parseExactly(long.replace("]", ",1.0]"))), long.replace("]", ",1.0]"));
});

test("what is not JSON is shown as it is", () => {
  assert.equal(pretty("{not json"), "{not json");
  assert.equal(shown("plain text\nof two lines"), "plain text\nof two lines");
  assert.equal(shown(undefined), "");
});

test("characters that nobody can see are written out", () => {
  assert.equal(visible("rm\u202e txt\u200b.\u0007 \u{e0041}ok\n\tö 漢 😀"), "rm\\u202e txt\\u200b.\\u0007 \\udb40\\udc41ok\n\tö 漢 😀");
  assert.equal(pretty('{"file":"photo\u202egnp.exe"}'), '{\n  "file": "photo\\u202egnp.exe"\n}');
});

test("laying out changes nothing of the meaning", () => {
  const values = [{ a: [1, { b: "x y" }, [], {}, ""], c: null }, [[[]]], "a\"b\\", -1.5e-7, [" ", "{}", "[,]"]];
  for (const value of values) assert.deepEqual(JSON.parse(pretty(JSON.stringify(value))), value);
});
