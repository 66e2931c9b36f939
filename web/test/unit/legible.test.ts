import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hidden, line, name, prose, restored, runs, visible, type Run } from "../../src/legible.js";
import { root } from "../root.js";

// Written by the Go package legible, whose tests hold it to what the server shows.
const { hidden: sum, shown } = JSON.parse(readFileSync(new URL("../legible/testdata/shown.json", root), "utf8")) as {
  hidden: string;
  shown: { text: string; line: string; runs: Run[] | null; restored: string }[];
};

test("the same characters are hidden as in approvals of the server, of all there are", () => {
  const bits = Uint8Array.from({ length: 0x110000 }, (_, code) => (hidden(code) ? 1 : 0));
  assert.equal(createHash("sha256").update(bits).digest("hex"), sum);
});

test("texts are shown as the server shows them", () => {
  for (const want of shown) {
    const shownLine = line(want.text);
    assert.equal(shownLine, want.line, want.text);
    assert.equal(restored(shownLine), want.restored, want.text);
    assert.deepEqual(runs(want.restored), want.runs ?? [], want.text);
  }
});

test("a name stands apart from the sentence that it is put into", () => {
  assert.equal(name("tracker"), "tracker");
  assert.equal(name("בנק"), "\u2068בנק\u2069");
  assert.equal(name("בנק 24"), "\\u05d1\\u05e0\\u05e7 24");
  assert.equal(name("a\u202eb\nc"), "a\\u202eb\\u000ac");
});

test("prose keeps its spaces and joiners, and nothing that turns its direction", () => {
  const said = "5\u00a0km,\n\tمی\u200cخواهم, 👩\u200d💻, ⚠\ufe0f";
  assert.equal(prose(said), said);
  assert.equal(prose("a\u202eb\u2066c\u200bd\u3164"), "abc\\u200bd\\u3164");
  assert.equal(visible("a\u00a0b\n\tc"), "a\\u00a0b\n\tc");
});

test("cutting a text takes time in proportion to it", () => {
  // With the square these would run into the time-out of the whole test.
  for (const unit of ["א", "א ", "א, ", "א1", "١", "\u0301", "a\u0301", "\\u05d0", "\\", "א,"]) {
    const source = unit.repeat(200_000 / unit.length);
    assert.equal(runs(source).map((r) => r.text).join(""), source);
    assert.ok(restored(line(source)).length > 0);
  }
});
