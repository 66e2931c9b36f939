import assert from "node:assert/strict";
import { test } from "node:test";
import { prefilled } from "../../src/entries.js";
import { readFields, yesNo } from "../../src/schema.js";
import { everyKind } from "../questions.js";

test("every kind of field is known, in the order of the schema", () => {
  const fields = readFields(everyKind)!;
  assert.deepEqual(
    fields.map((f) => [f.name, f.kind, f.label, f.required]),
    [
      ["name", "string", "Name", true],
      ["mail", "string", "Email", true],
      ["site", "string", "Web site", false],
      ["code", "string", "Cost centre", false],
      ["day", "string", "Day", false],
      ["moment", "string", "Departure", false],
      ["amount", "number", "Amount", true],
      ["people", "integer", "People", false],
      ["newsletter", "boolean", "Send me the newsletter", false],
      ["terms", "boolean", "Do you accept the terms?", true],
      ["size", "choice", "Size", false],
      ["colour", "choice", "Colour", false],
      ["legacy", "choice", "Class", false],
      ["country", "choice", "Country", false],
      ["extras", "choices", "Extras", true],
      ["topics", "choices", "Topics", false],
      ["remarks", "string", "Remarks", false],
    ],
  );
  const field = (name: string) => fields.find((f) => f.name === name)!;
  assert.deepEqual([field("name").minLength, field("name").maxLength, field("name").description], [2, 40, "As it stands on the invoice"]);
  assert.deepEqual([field("mail").format, field("site").format, field("day").format, field("moment").format], ["email", "uri", "date", "date-time"]);
  assert.deepEqual([field("amount").minimum, field("amount").maximum, field("people").default], [0.5, 5000, 2]);
  assert.deepEqual(field("size").options, [{ value: "s", label: "s" }, { value: "m", label: "m" }, { value: "l", label: "l" }]);
  assert.deepEqual(field("colour").options, [{ value: "r", label: "Red" }, { value: "g", label: "Green" }]);
  assert.deepEqual(field("legacy").options, [{ value: "1", label: "First" }, { value: "2", label: "Second" }]);
  assert.deepEqual(field("extras").options.map((o) => o.value), ["meal", "seat", "bag"]);
  assert.deepEqual([field("extras").minItems, field("extras").maxItems], [1, 2]);
  assert.deepEqual(field("topics").options, [{ value: "a", label: "Art" }, { value: "b", label: "Books" }]);
});

test("a field of an unknown kind makes the whole form one for the hosted page", () => {
  for (const property of [{ type: "object" }, { type: "array", items: { type: "object" } }, { type: "null" }, {}, "x", { type: ["string"] }]) {
    assert.equal(readFields({ type: "object", properties: { a: { type: "string" }, b: property } }), undefined);
  }
  assert.equal(readFields(undefined), undefined);
  assert.equal(readFields("x"), undefined);
});

test("a form without fields is a form", () => {
  assert.deepEqual(readFields({ type: "object" }), []);
});

test("unknown keywords are ignored", () => {
  const [field] = readFields({ type: "object", properties: { a: { type: "string", future: 1, format: "future" } }, future: true })!;
  assert.deepEqual([field?.kind, field?.format], ["string", undefined]);
});

test("numbers can be chosen, and what cannot be chosen from is asked for as text", () => {
  const [size, none, whole] = readFields({
    type: "object",
    properties: {
      size: { type: "integer", oneOf: [{ const: 1, title: "One" }, { const: 2 }], default: 2 },
      none: { type: "string", enum: [] },
      whole: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
    },
  })!;
  assert.deepEqual([size!.kind, size!.options], ["choice", [{ value: "1", label: "One" }, { value: "2", label: "2" }]]);
  assert.deepEqual(prefilled([size!]), { size: "2" });
  assert.equal(none!.kind, "string");
  assert.deepEqual([whole!.minimum, whole!.maximum], [undefined, undefined]);
});

test("a yes or no that must be given is asked for, one with a default is a tick", () => {
  const flags = (schema: object) => readFields({ type: "object", ...schema })!.map(yesNo);
  const properties = { a: { type: "boolean" } };
  assert.deepEqual(flags({ properties, required: ["a"] }), [true]);
  assert.deepEqual(flags({ properties }), [false]);
  assert.deepEqual(flags({ properties: { a: { type: "boolean", default: false } }, required: ["a"] }), [false]);
});

test("what a form says of its fields turns nothing around", () => {
  const [field] = readFields({ type: "object", properties: { a: { type: "string", title: "A\u202e", description: "b\u200b", oneOf: [{ const: "x\u2066" }, { const: "y", title: "Y\u3164" }] } } })!;
  assert.deepEqual([field!.label, field!.description, field!.options], ["A", "b\\u200b", [{ value: "x\u2066", label: "x" }, { value: "y", label: "Y\\u3164" }]]);
});
