import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { launch, openTab } from "../browser.js";
import { root } from "../root.js";

test("useQuestions shows what waits for the person, live, and opens the page of each", async () => {
  let items: object[] = [], status = 200;
  const server = createServer((request, response) => {
    if (request.url === "/asking.js") return void response.writeHead(200, { "Content-Type": "text/javascript" }).end(readFileSync(new URL("tmp/asking.js", root)));
    if (request.url?.startsWith("/api/elicitations?state=pending"))
      return void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(status === 200 ? { items } : { detail: "You are not signed in." }));
    response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html><title>${request.url}</title><div id=root></div><script type=module src=/asking.js></script>`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const browser = await launch();
  try {
    const { page, problems } = await openTab(browser);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    items = [{ id: "q1", from: "ci", message: "Deploy?" }];
    await page.getByText("ci: Deploy?").waitFor();
    const [opened] = await Promise.all([page.context().waitForEvent("page"), page.getByRole("button", { name: "Answer" }).click()]);
    await opened.waitForURL(/\/answer\/q1$/);
    items = [];
    await page.getByText("ci: Deploy?").waitFor({ state: "detached" });
    status = 401;
    await page.getByRole("alert").getByText("You are not signed in.").waitFor();
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
});
