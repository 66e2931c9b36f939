import assert from "node:assert/strict";
import { test } from "node:test";
import { check, prefilled, type Entry } from "../../src/entries.js";
import { hint } from "../../src/fields.js";
import { readFields } from "../../src/schema.js";
import { sayer } from "../../src/strings.js";
import { everyKind } from "../questions.js";

process.env.TZ = "Europe/Vienna";

const say = sayer(undefined);

// one checks a single field and returns its value or its error.
function one(property: object, entry: Entry, required = false): unknown {
  const fields = readFields({ type: "object", properties: { f: { title: "Field", ...property } }, required: required ? ["f"] : [] })!;
  const { content, errors } = check(fields, { f: entry }, say);
  return errors["f"] ?? ("f" in content ? content["f"] : "nothing");
}

test("defaults are filled in", () => {
  assert.deepEqual(prefilled(readFields(everyKind)!), {
    name: "", mail: "", site: "", code: "", day: "2026-03-01", moment: "", amount: "", people: "2", newsletter: true,
    terms: undefined, size: "m", colour: undefined, legacy: undefined, country: undefined, extras: [], topics: ["b"], remarks: "",
  });
});

test("a form that is filled in makes an answer with the right types", () => {
  const fields = readFields(everyKind)!;
  const { content, errors } = check(fields, {
    ...prefilled(fields), name: "Ada", mail: "ada@example.com", site: "https://ada.example", code: "AB123", moment: "2026-07-01T09:30", amount: "12.50",
    terms: false, colour: "g", country: "nl", extras: ["seat", "bag"], remarks: "One\nTwo",
  }, say);
  assert.deepEqual({ ...errors }, {});
  assert.deepEqual({ ...content }, {
    name: "Ada", mail: "ada@example.com", site: "https://ada.example", code: "AB123", day: "2026-03-01", moment: "2026-07-01T09:30:00+02:00", amount: 12.5,
    newsletter: true, terms: false, size: "m", colour: "g", country: "nl", extras: ["seat", "bag"], topics: ["b"], remarks: "One\nTwo",
  });
});

test("what is left empty is left out, unless it had a default", () => {
  assert.equal(one({ type: "string" }, ""), "nothing");
  assert.equal(one({ type: "string", default: "x" }, ""), "");
  assert.equal(one({ type: "string" }, " "), " ");
  assert.equal(one({ type: "integer" }, " "), "nothing");
  assert.equal(one({ type: "integer", default: 3 }, ""), "Field cannot be left empty; its default is 3.");
  assert.equal(one({ type: "integer", default: 3 }, "", true), "Field is required.");
  assert.equal(one({ type: "string", format: "date", default: "2026-03-01" }, ""), "Field cannot be left empty; its default is 2026-03-01.");
  assert.equal(one({ type: "string", oneOf: [{ const: "r", title: "Red" }], default: "r" }, undefined), "Field cannot be left empty; its default is Red.");
  assert.equal(one({ type: "string", enum: ["a"] }, undefined), "nothing");
  assert.deepEqual(one({ type: "array", items: { type: "string", enum: ["a"] } }, []), "nothing");
  assert.deepEqual(one({ type: "array", items: { type: "string", enum: ["a"] }, default: ["a"] }, []), []);
});

test("what may be null is left out, or null where it had a default", () => {
  const nullable = true;
  assert.equal(one({ type: "string", nullable }, ""), "nothing");
  assert.equal(one({ type: "string", nullable, default: "x" }, ""), null);
  assert.equal(one({ type: "integer", nullable, default: 3 }, ""), null);
  assert.equal(one({ type: "integer", nullable, default: 3 }, "4"), 4);
  assert.equal(one({ type: "string", nullable, enum: ["a"], default: "a" }, undefined), null);
  assert.equal(one({ type: "boolean", nullable }, undefined), "nothing");
  assert.equal(one({ type: "boolean", nullable }, false), false);
  assert.deepEqual(prefilled(readFields({ type: "object", properties: { f: { type: "boolean", nullable } } })!), { f: undefined });
});

test("what is required must be there", () => {
  for (const property of [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "string", enum: ["a"] }, { type: "string", format: "date" }]) {
    assert.equal(one(property, property.type === "boolean" ? undefined : "enum" in property ? undefined : "  ", true), "Field is required.");
  }
  assert.deepEqual(one({ type: "array", items: { type: "string", enum: ["a"] } }, [], true), []);
});

test("texts keep their bounds, counted in characters", () => {
  assert.equal(one({ type: "string", minLength: 2 }, "😀"), "Field must be at least 2 characters long.");
  assert.equal(one({ type: "string", maxLength: 1 }, "😀"), "😀");
  assert.equal(one({ type: "string", maxLength: 1 }, "ab"), "Field must be at most 1 character long.");
  for (const pattern of ["^[A-Z]+$", "(", "^(a+)+$"]) assert.equal(one({ type: "string", pattern }, `${"a".repeat(60)}!`), `${"a".repeat(60)}!`); // the server says
});

test("formats are checked", () => {
  const mail = { type: "string", format: "email" };
  assert.equal(one(mail, " a@b.example "), "a@b.example");
  for (const bad of ["a", "a@", "@b", "a b@c", "a@b."]) assert.match(String(one(mail, bad)), /must be an email address/);
  const uri = { type: "string", format: "uri" };
  for (const good of ["https://a.example/b?c#d", "mailto:a@b", "urn:x:y"]) assert.equal(one(uri, good), good);
  for (const bad of ["a.example", "https://", "https://a b", "https://ü.example", "//a"]) assert.match(String(one(uri, bad)), /must be a full address/);
  const date = { type: "string", format: "date" };
  assert.equal(one(date, "2028-02-29"), "2028-02-29");
  for (const bad of ["2026-02-29", "2026-2-1", "x"]) assert.match(String(one(date, bad)), /must be a date/);
  const moment = { type: "string", format: "date-time" };
  assert.equal(one(moment, "2026-01-31T09:30"), "2026-01-31T09:30:00+01:00");
  assert.equal(one(moment, "2026-07-31T09:30:05"), "2026-07-31T09:30:05+02:00");
  assert.match(String(one(moment, "2026-01-31")), /must be a date and time/);
});

test("a default date and time is shown in the person's own zone", () => {
  const fields = readFields({ type: "object", properties: { f: { type: "string", format: "date-time", default: "2026-07-01T12:00:00-04:00" } } })!;
  assert.deepEqual(prefilled(fields), { f: "2026-07-01T18:00" });
  assert.equal(check(fields, { f: "2026-07-01T18:30" }, say).content["f"], "2026-07-01T18:30:00+02:00");
});

test("what nobody touched is sent exactly as the default is", () => {
  const untouched = (property: object, required: boolean): unknown => {
    const fields = readFields({ type: "object", properties: { f: property }, required: required ? ["f"] : [] })!;
    const { content, errors } = check(fields, prefilled(fields), say);
    assert.deepEqual({ ...errors }, {});
    return content["f"];
  };
  const options = ["a", "b", "c"];
  for (const required of [false, true]) {
    // The first is in the hour that Vienna has twice.
    for (const moment of ["2026-10-25T01:30:59Z", "2026-07-01T18:00:07.125Z", "2026-07-01T12:00:00-04:00"]) {
      assert.equal(untouched({ type: "string", format: "date-time", default: moment }, required), moment);
    }
    assert.deepEqual(untouched({ type: "array", items: { type: "string", enum: options }, default: ["c", "a"] }, required), ["c", "a"]);
    assert.equal(untouched({ type: "string", default: " x " }, required), " x ");
    assert.equal(untouched({ type: "string", format: "date", default: "2026-03-01" }, required), "2026-03-01");
    assert.equal(untouched({ type: "boolean", default: false }, required), false);
    assert.equal(untouched({ type: "string", enum: options, default: "b" }, required), "b");
  }
});

test("a number that nobody touched is left to the server, which has all its digits", () => {
  for (const required of [[], ["f"]]) {
    for (const value of ["0.1000000000000000055", "9007199254740993", "12", "-0.5"]) {
      const fields = readFields({ type: "object", properties: { f: { type: "number", default: JSON.parse(value) } }, required })!;
      assert.deepEqual(check(fields, prefilled(fields), say), check([], {}, say), value);
      assert.equal(check(fields, { f: "7" }, say).content["f"], 7);
    }
  }
  const choice = readFields({ type: "object", properties: { f: { type: "integer", enum: [1, 2], default: 2 } } })!;
  assert.deepEqual(check(choice, prefilled(choice), say), check([], {}, say));
  assert.equal(check(choice, { f: "1" }, say).content["f"], "1");
});

test("a number that is known by its digits is shown by them", () => {
  const field = (property: object) => readFields({ type: "object", properties: { f: property } })!;
  for (const value of ["0.1000000000000000055", "9007199254740993", "1.0", "1e3"]) {
    const fields = field({ type: "number", default: value });
    assert.deepEqual(prefilled(fields), { f: value });
    assert.deepEqual(check(fields, { f: value }, say), check([], {}, say), "the server fills it in");
    assert.equal(check(fields, { f: "7" }, say).content["f"], 7);
    const choice = field({ type: "number", enum: [value, 2], default: value });
    assert.deepEqual([choice[0]!.options.map((o) => o.label), prefilled(choice)], [[value, "2"], { f: value }]);
    assert.equal(check(choice, { f: value }, say).content["f"], value, "the server takes the text of an option");
  }
  assert.equal(one({ type: "number", minimum: "0.1000000000000000055" }, "0"), "Field must be at least 0.1000000000000000055.");
  assert.equal(one({ type: "number", maximum: "1.0" }, "1"), 1);
  const argument = readFields({ type: "object", properties: { "args.n": { type: "number", default: "1.0" } } })!;
  assert.deepEqual(prefilled(argument), { "args.n": "1.0" });
  assert.equal(check(argument, prefilled(argument), say).content["args.n"], 1);
});

// Vienna has the hour from two to three twice on 25 October 2026, first at +02:00.
test("a time in the hour that a change of clocks repeats keeps the offset of its default", () => {
  const edited = (before: string | undefined, entry: string): unknown => one({ type: "string", format: "date-time", ...(before && { default: before }) }, entry);
  assert.equal(edited("2026-10-25T01:30:00Z", "2026-10-25T02:45"), "2026-10-25T02:45:00+01:00", "the second, as the default is");
  assert.equal(edited("2026-10-25T02:30:00+02:00", "2026-10-25T02:45"), "2026-10-25T02:45:00+02:00", "the first");
  assert.equal(edited(undefined, "2026-10-25T02:45"), "2026-10-25T02:45:00+02:00", "the first, where nothing is said");
  assert.equal(edited("2026-12-01T12:00:00Z", "2026-10-25T02:45"), "2026-10-25T02:45:00+01:00", "the default's, where both may be");
  assert.equal(edited("2026-12-01T12:00:00Z", "2026-07-01T02:45"), "2026-07-01T02:45:00+02:00", "no other time has it");
  assert.equal(edited("nonsense", "2026-07-01T02:45"), "2026-07-01T02:45:00+02:00");
});

test("the offset of what is entered is said", () => {
  const [field] = readFields({ type: "object", properties: { f: { type: "string", format: "date-time", default: "2026-10-25T01:30:00Z" } } })!;
  const said = (entry: Entry) => hint({ field: field!, entry, say });
  assert.equal(said("2026-10-25T02:45"), "Your local time, UTC+01:00");
  assert.equal(said("2026-07-01T02:45"), "Your local time, UTC+02:00");
  assert.match(said(""), /^Your local time, UTC\+0[12]:00$/);
});

test("an argument of a call is sent, touched or not", () => {
  const fields = readFields({ type: "object", properties: { "args.n": { type: "integer", default: 2 }, "args.t": { type: "string", default: "" } } })!;
  assert.deepEqual({ ...check(fields, prefilled(fields), say).content }, { "args.n": 2, "args.t": "" });
});

test("a number that is not known here exactly is not shown as another", () => {
  const shown = (value: string) => prefilled(readFields({ type: "object", properties: { f: { type: "number", default: JSON.parse(value) } } })!)["f"];
  assert.equal(shown("9007199254740993"), "");
  assert.equal(shown("0.12345678901234567"), "");
  assert.equal(shown("9007199254740991"), "9007199254740991");
  assert.equal(shown("0"), "0");
});

test("numbers are read as people write them", () => {
  for (const [typed, value] of [["5", 5], ["+5", 5], ["007", 7], [".5", 0.5], ["5.", 5], ["\u22123", -3], ["1e3", 1000], [" 2 ", 2]] as const) {
    assert.equal(one({ type: "number" }, typed), value);
  }
  for (const bad of ["five", "1,5", "0x10", "1e999", "--1", "Infinity", "NaN"]) assert.equal(one({ type: "number" }, bad), "Field must be a number.");
  for (const bad of ["1.5", "x"]) assert.equal(one({ type: "integer" }, bad), "Field must be a whole number.");
  assert.equal(one({ type: "integer" }, "3.0"), 3);
  assert.equal(one({ type: "integer", minimum: 4 }, "3"), "Field must be at least 4.");
  assert.equal(one({ type: "number", maximum: 2.5 }, "2.6"), "Field must be at most 2.5.");
});

test("no digit gets lost on the way", () => {
  assert.equal(one({ type: "integer" }, "9007199254740991"), 9007199254740991);
  assert.match(String(one({ type: "integer" }, "9007199254740993")), /too many digits/);
  assert.match(String(one({ type: "number" }, "0.12345678901234567")), /too many digits/);
  assert.equal(one({ type: "number" }, "1000000000000000000000"), 1e21);
});

test("choices keep their bounds", () => {
  const choices = { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, minItems: 2, maxItems: 2 };
  assert.equal(one(choices, ["a"]), "Field must have at least 2 choices.");
  assert.equal(one(choices, ["a", "b", "c"]), "Field must have at most 2 choices.");
  assert.deepEqual(one(choices, ["a", "c"]), ["a", "c"]);
  assert.equal(one(choices, []), "nothing");
});

test("a field may have any name and any label", () => {
  const fields = readFields(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string","title":"Are you sure?"}},"required":["__proto__","constructor"]}'))!;
  const full = check(fields, Object.fromEntries([["__proto__", "a"], ["constructor", "b"]]), say);
  assert.equal(JSON.stringify(full.content), '{"__proto__":"a","constructor":"b"}');
  const empty = check(fields, prefilled(fields), say);
  assert.equal(empty.errors["constructor"], "“Are you sure?” is required.");
  assert.equal(empty.errors["__proto__"], "__proto__ is required.");
});
