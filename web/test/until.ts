import assert from "node:assert/strict";

// until waits for what comes from elsewhere: a stream reaches the browser some time after the server has written it.
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1200; i++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`never: ${condition}`);
}
