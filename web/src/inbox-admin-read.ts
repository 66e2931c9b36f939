// Reading lists of the management API.

import { list, object, type Json } from "./json.js";

// objects are those entries of a list that are objects.
export function objects(value: unknown): Json[] {
  return list(value).flatMap((one): Json[] => {
    const read = object(one);
    return read ? [read] : [];
  });
}

// itemsOf are the entries of an answer that has a list.
export const itemsOf = (answer: unknown): Json[] => objects(object(answer)?.["items"]);
