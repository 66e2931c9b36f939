import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { root } from "../root.js";

test("the example in the documents is the one that is tested", async () => {
  const [page, app] = await Promise.all([readFile(new URL("../docs/react.md", root), "utf8"), readFile(new URL("test/app.tsx", root), "utf8")]);
  assert.equal(/```tsx\n([^]*?)```/.exec(page)?.[1], app);
});
