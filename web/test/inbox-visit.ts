// A person at the inbox of a site: a test file that imports this has both, anew for each test.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launch, openTab, type Tab } from "./browser.js";
import { InboxSite } from "./inbox-site.js";

export let site: InboxSite;
export let page: Page; // that was visited last

let browser: Browser;
let tabs: Tab[];

before(async () => {
  browser = await launch();
});
after(() => browser.close());
beforeEach(async () => {
  tabs = [];
  site = await InboxSite.start();
});
afterEach(async () => {
  for (const tab of tabs) await tab.page.context().close();
  await site.close();
  assert.deepEqual(tabs.flatMap((tab) => tab.problems), []);
});

// arrive opens a tab of a browser that nobody has used before.
export async function arrive(options: BrowserContextOptions = {}): Promise<Page> {
  const tab = await openTab(browser, { reducedMotion: "reduce", ...options });
  tabs.push(tab);
  return (page = tab.page);
}

// visit opens a part of the inbox, such as "#history", in such a tab.
export async function visit(part = "", options: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }): Promise<void> {
  await arrive(options);
  await page.goto(`${site.url}/inbox${part}`);
}
