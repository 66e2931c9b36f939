import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { launch, openTab } from "../browser.js";
import { root } from "../root.js";

test("useQuestions shows what waits for the person, live, and opens the page of each", async () => {
  let items: object[] = [], status = 200, lists = 0;
  const streams = new Set<import("node:http").ServerResponse>();
  const tell = (event: string, data: object) => streams.forEach((s) => s.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  const server = createServer((request, response) => {
    if (request.url === "/asking.js") return void response.writeHead(200, { "Content-Type": "text/javascript" }).end(readFileSync(new URL("tmp/asking.js", root)));
    if (request.url === "/api/elicitations/events" && status === 200) {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write("event: reload\ndata: {}\n\n");
      response.on("close", () => streams.delete(response));
      return void streams.add(response);
    }
    if (request.url?.startsWith("/api/elicitations") && ++lists)
      return void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(status === 200 ? { items } : { detail: "You are not signed in." }));
    response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html><title>${request.url}</title><div id=root></div><script type=module src=/asking.js></script>`);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const browser = await launch();
  try {
    const { page, problems } = await openTab(browser);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    while (streams.size === 0 || lists === 0) await page.waitForTimeout(20);
    tell("elicitation", { id: "q1", state: "pending", from: "ci", message: "Deploy?" });
    await page.getByText("ci: Deploy?").waitFor();
    tell("elicitation", { id: "q2", state: "pending", from: "ci", message: "Roll back?" });
    await page.getByText("ci: Roll back?").waitFor();
    tell("elicitation", { id: "q2", state: "settled", from: "ci", message: "Roll back?" });
    await page.getByText("ci: Roll back?").waitFor({ state: "detached" });
    assert.equal(lists, 1, "the list is read once, and then followed");
    const [opened] = await Promise.all([page.context().waitForEvent("page"), page.getByRole("button", { name: "Answer" }).click()]);
    await opened.waitForURL(/\/answer\/q1$/);
    items = [{ id: "q3", from: "ci", message: "Missed?" }];
    for (const stream of streams) stream.destroy(); // what was missed is read
    await page.getByText("ci: Missed?").waitFor();
    assert.equal(await page.getByText("ci: Deploy?").count(), 0);
    status = 401;
    for (const stream of streams) stream.destroy();
    await page.getByRole("alert").getByText("You are not signed in.").waitFor();
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
});
