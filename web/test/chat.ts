// A chat on a page of its own for each test of the file that imports this, and what a person finds there.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, openTab, type Tab } from "./browser.js";
import { FakeServer } from "./server.js";

export { until } from "./until.js";

let browser: Browser;
export let server: FakeServer;
let tab: Tab;
export let page: Page;

before(async () => {
  browser = await launch();
});
after(() => browser.close());
beforeEach(async () => {
  server = await FakeServer.start();
  tab = await openTab(browser);
  page = tab.page;
});
afterEach(async () => {
  await page.context().close();
  await server.close();
  assert.deepEqual(tab.problems, []);
});

export async function open(attributes = ""): Promise<void> {
  await page.goto(server.url + server.page("/chat", `<main><h1>Chat</h1><parley-chat ${attributes}></parley-chat></main>`));
  await composer().waitFor();
}
export const composer = () => page.getByRole("textbox", { name: "Write a message" });
export const button = (name: string) => page.getByRole("button", { name, exact: true });
export const log = () => page.getByRole("log");
export const card = () => page.locator("parley-chat parley-question");
export const sees = (text: string) => log().getByText(text, { exact: true }).first().waitFor();
export const conversation = () => page.locator("parley-chat").evaluate((c) => (c as unknown as { conversationId: string }).conversationId);
export const turn = async () => server.turns(await conversation()).at(-1)!;
export async function say(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press("Enter");
}
