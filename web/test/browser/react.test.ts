// The application of docs/react.md, on a page of another origin.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, openTab, type Tab } from "../browser.js";
import { connect, form, small } from "../questions.js";
import { FakeServer } from "../server.js";

let browser: Browser;
let server: FakeServer;
let tab: Tab;
let page: Page;

before(async () => {
  browser = await launch();
});
after(() => browser.close());
beforeEach(async () => {
  server = await FakeServer.start();
  server.refuse = ({ method, path, headers }) => {
    if (path.startsWith("/run/") && headers.authorization !== "Bearer t-1") return [401, { error: "Who are you?" }];
    if (method === "GET" && path.endsWith("/c-react") && server.turns("c-react").length === 0) return [200, { messages: [], active: false }];
    return undefined;
  };
  tab = await openTab(browser);
  page = tab.page;
});
afterEach(async () => {
  await page.context().close();
  await server.close();
  assert.deepEqual(tab.problems, []);
});

async function open(token = "t-1"): Promise<void> {
  server.page("/app", '<div id="root"></div><script type="module" src="/app.js"></script>', "");
  await page.goto(`${server.other}/app?token=${token}&server=${encodeURIComponent(server.url)}`);
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
async function say(text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await button("Send").click();
}

test("a question is answered from another origin, with a token and without cookies", async () => {
  server.agent = async (t) => {
    const { action } = await t.ask(form(small));
    t.say(`It was ${action}.`).finish();
  };
  await open();
  await say("Begin");
  await page.getByLabel("Reason").fill("Lunch with Ada");
  await page.getByLabel("Amount").fill("70");
  await button("Send answer").click();
  await page.getByText("It was accept.").waitFor();
  assert.deepEqual(server.answers.map((a) => [a.conversationId, a.content]), [["c-react", { reason: "Lunch with Ada", amount: 70 }]]);
  assert.ok(server.seen.every((r) => r.headers.authorization === "Bearer t-1" && r.headers.cookie === undefined));
  assert.equal((server.seen.find((r) => r.method === "POST")?.body?.["messages"] as unknown[]).length, 1);
});

test("a reload shows what was said, takes the turn up again, and a popup settles its question", async () => {
  server.agent = async (t, said) => {
    if (said === "One") return t.say("First answer.").finish();
    await t.ask(connect(server.url));
    t.say("Connected, going on.").finish();
  };
  await open();
  await say("One");
  await page.getByText("First answer.").waitFor();
  await say("Two");
  await button("Connect").waitFor();
  await page.reload();
  await page.getByText("First answer.").waitFor();
  const [popup] = await Promise.all([page.waitForEvent("popup"), button("Connect").click()]);
  await popup.locator("#approve").click();
  await page.getByText("Connected, going on.").waitFor();
  assert.equal(await page.getByText("Connected, going on.").count(), 1);
  assert.equal(await page.locator("parley-question").count(), 1);
});

test("stop has the server end the turn", async () => {
  let halted = "";
  server.halt = (id) => {
    halted = id;
    server.turns(id).at(-1)!.stop();
  };
  server.agent = (t) => void t.write("Half");
  await open();
  await say("Begin");
  await page.getByText("Half").waitFor();
  await button("Stop").click();
  await button("Send").waitFor();
  assert.equal(halted, "c-react");
});

test("who is not signed in is told so", async () => {
  await open("t-2");
  await page.getByText("The conversation could not be loaded (401).").waitFor();
});
