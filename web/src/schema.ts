// The fields of a form, from the flat JSON schema that MCP elicitation defines.

import { list, object, text, type Json } from "./json.js";
import { prose } from "./legible.js";

// Option is one thing to choose; of a number the value is its text, which the server takes as well.
export interface Option {
  value: string;
  label: string;
}

export interface Field {
  name: string;
  label: string;
  description: string | undefined;
  kind: "string" | "number" | "integer" | "boolean" | "choice" | "choices";
  required: boolean;
  nullable: boolean; // null is the answer of who has none
  format: "email" | "uri" | "date" | "date-time" | undefined;
  minLength: number | undefined;
  maxLength: number | undefined;
  minimum: number | string | undefined; // a text has digits that a number would not keep, in defaults too
  maximum: number | string | undefined;
  options: readonly Option[];
  minItems: number | undefined;
  maxItems: number | undefined;
  default: unknown;
}

// readFields returns the fields in the order of the schema, or undefined if one of them is of a kind that cannot be
// asked for here.
//
// An object has names that are numbers before all others: order is the schema's own, if the server says it.
export function readFields(schema: unknown, order: readonly string[] = []): Field[] | undefined {
  const root = object(schema);
  if (!root) return undefined;
  const required = new Set(list(root["required"]));
  const fields: Field[] = [];
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const properties = Object.entries(object(root["properties"]) ?? {}).sort(([a], [b]) => place(a) - place(b));
  for (const [name, value] of properties) {
    const property = object(value);
    const kind = property && readKind(property);
    if (!property || !kind) return undefined;
    fields.push(readField(name, kind, property, required.has(name)));
  }
  return fields;
}

function readKind(property: Json): Field["kind"] | undefined {
  switch (property["type"]) {
    case "string":
    case "number":
    case "integer":
      return readOptions(property).length > 0 ? "choice" : property["type"];
    case "boolean":
      return "boolean";
    case "array":
      return readOptions(object(property["items"]) ?? {}).length > 0 ? "choices" : undefined;
  }
  return undefined;
}

function readField(name: string, kind: Field["kind"], property: Json, required: boolean): Field {
  return {
    name,
    kind,
    required,
    nullable: property["nullable"] === true,
    label: prose(text(property["title"]) || name),
    description: prose(text(property["description"]) ?? "") || undefined,
    format: readFormat(property["format"]),
    minLength: count(property["minLength"]),
    maxLength: count(property["maxLength"]),
    minimum: bound(property["minimum"]),
    maximum: bound(property["maximum"]),
    options: kind === "choices" ? readOptions(object(property["items"]) ?? {}) : readOptions(property),
    minItems: count(property["minItems"]),
    maxItems: count(property["maxItems"]),
    default: property["default"],
  };
}

function readFormat(value: unknown): Field["format"] {
  return /^(email|uri|date(-time)?)$/.test(value as string) ? (value as Field["format"]) : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

// bound leaves out what libraries write for every whole number: that all its digits can be sent is seen to anyway.
function bound(value: unknown): number | string | undefined {
  const n = count(value) ?? text(value);
  return Math.abs(Number(n)) === 2 ** 53 - 1 ? undefined : n;
}

// optionValue is the text of a value that can be chosen.
function optionValue(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : text(value);
}

// readOptions knows all three ways to write them: const and title, enum alone, and enum with the legacy enumNames.
function readOptions(source: Json): Option[] {
  const titled = list(source["oneOf"] ?? source["anyOf"]);
  if (titled.length > 0) {
    return titled.flatMap((entry) => {
      const value = optionValue(object(entry)?.["const"]);
      return value === undefined ? [] : [{ value, label: prose(text(object(entry)?.["title"]) || value) }];
    });
  }
  const names = list(source["enumNames"]);
  return list(source["enum"]).flatMap((entry, i) => {
    const value = optionValue(entry);
    return value === undefined ? [] : [{ value, label: prose(text(names[i]) || value) }];
  });
}

// isArgument reports whether a field of an approval changes an argument of its call.
export const isArgument = ({ name }: Field): boolean => name.startsWith("args.");

// yesNo reports whether a yes or no must be said: an empty checkbox would say no for somebody who overlooked it. So it would
// where there may be no answer.
export function yesNo(field: Field): boolean {
  return field.kind === "boolean" && (field.required || field.nullable) && field.default === undefined;
}
