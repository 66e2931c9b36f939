import assert from "node:assert/strict";
import { test } from "node:test";
import { pretty, shown } from "../../src/json.js";
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
