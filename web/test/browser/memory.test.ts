// Which conversation a page shows: after a reload, in a tab that was closed, and to somebody else.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launch, openTab, type Tab } from "../browser.js";
import { FakeServer } from "../server.js";

let browser: Browser;
let server: FakeServer;
let tab: Tab;
let page: Page;
let context: BrowserContext;

before(async () => {
  browser = await launch();
});
after(() => browser.close());
beforeEach(async () => {
  server = await FakeServer.start();
  tab = await openTab(browser);
  page = tab.page;
  context = page.context();
  server.agent = (t, said) => t.say(`You said ${said}.`).finish();
});
afterEach(async () => {
  await context.close();
  await server.close();
  assert.deepEqual(tab.problems, []);
});

const html = "<main><h1>Chat</h1><parley-chat></parley-chat></main>";
async function open(at: Page): Promise<void> {
  await at.goto(server.url + server.page("/chat", html));
  await at.getByRole("textbox", { name: "Write a message" }).waitFor();
}
async function say(at: Page, text: string): Promise<void> {
  await at.getByRole("textbox", { name: "Write a message" }).fill(text);
  await at.keyboard.press("Enter");
  await at.getByText(`You said ${text}.`).waitFor();
}
const as = (user: string) => context.addCookies([{ name: "user", value: user, url: server.url }]);
// people are told apart by a cookie, or by a token before that.
function withPeople(): void {
  server.account = ({ headers }) => /^Bearer (\w+)/.exec(headers.authorization ?? "")?.[1] ?? /user=(\w+)/.exec(headers.cookie ?? "")?.[1];
  server.refuse = (request) => (request.path.startsWith("/run/") && server.account(request) === undefined ? [401, {}] : undefined);
}

test("a token that a later script sets is heeded, and the conversation is found again", async () => {
  withPeople();
  const later = async () => {
    await page.waitForFunction(() => customElements.get("parley-chat"));
    await page.getByText("You are not signed in").waitFor(); // the widget was faster
    await page.evaluate(() => Object.assign(document.querySelector("parley-chat")!, { token: "alice" }));
  };
  await page.goto(server.url + server.page("/chat", html));
  await page.evaluate(() => Object.assign(document.querySelector("parley-chat")!, { token: "alice" }));
  await say(page, "one");
  await page.reload();
  await later();
  await page.getByText("You said one.").waitFor();
  assert.equal(await page.getByText("You are not signed in").count(), 0);
  await say(page, "two");
  const ids = new Set(server.seen.filter((r) => r.method === "POST").map((r) => r.body?.["id"]));
  assert.equal(ids.size, 1);
  await page.reload();
  await page.getByText("You are not signed in").waitFor();
  await page.evaluate(() => Object.assign(document.querySelector("parley-chat")!, { getToken: async () => "alice" }));
  await page.getByText("You said two.").waitFor();
});

test("a tab that was closed comes back to its conversation", async () => {
  withPeople();
  await as("alice");
  await open(page);
  await say(page, "one");
  await page.close();
  const another = await context.newPage();
  await open(another);
  await another.getByText("You said one.").waitFor();
  await another.getByRole("button", { name: "New conversation" }).click();
  await another.getByText("Ask something to begin.").waitFor();
  await another.close();
  const third = await context.newPage();
  await open(third);
  await third.getByText("Ask something to begin.").waitFor(); // the person has left it
  await say(third, "two");
  await third.close();
  const fourth = await context.newPage();
  await open(fourth);
  await fourth.getByText("You said two.").waitFor();
  assert.equal(await fourth.getByText("You said one.").count(), 0);
});

test("somebody else at the same browser has conversations of their own, and each finds theirs again", async () => {
  withPeople();
  await as("alice");
  await open(page);
  await say(page, "mine");
  await as("bob");
  const bobs = await context.newPage();
  await open(bobs);
  await bobs.getByText("Ask something to begin.").waitFor();
  assert.equal(await bobs.getByText("mine").count(), 0);
  await say(bobs, "his");
  await as("alice");
  await bobs.reload(); // a tab that was bob's, and is alice's now
  await bobs.getByText("You said mine.").waitFor();
  assert.equal(await bobs.getByText("his").count(), 0);
  await as("bob");
  const again = await context.newPage();
  await open(again);
  await again.getByText("You said his.").waitFor();
  const ids = server.seen.filter((r) => r.method === "POST").map((r) => r.body?.["id"]);
  assert.equal(new Set(ids).size, 2);
});

test("what somebody said before is gone from the page when another sends from it", async () => {
  withPeople();
  await as("alice");
  await open(page);
  await say(page, "mine");
  await as("bob");
  await say(page, "his");
  await page.getByText("mine", { exact: true }).waitFor({ state: "detached" });
  await page.getByText("You said his.").waitFor();
});

test("a token for somebody else than the cookie shows that person's conversation", async () => {
  withPeople();
  await as("alice");
  await open(page);
  await say(page, "mine");
  await page.evaluate(() => Object.assign(document.querySelector("parley-chat")!, { token: "bob" }));
  await page.getByText("Ask something to begin.").waitFor();
  await say(page, "his");
  assert.equal(await page.getByText("mine").count(), 0);
});

test("a server that does not say whose conversations it shows has them kept per tab alone", async () => {
  await open(page);
  await say(page, "one");
  await page.reload();
  await page.getByText("You said one.").waitFor();
  const another = await context.newPage();
  await open(another);
  await another.getByText("Ask something to begin.").waitFor();
});
