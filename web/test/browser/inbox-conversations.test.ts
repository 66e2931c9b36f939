// The part of the inbox that finds conversations again.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { barriers, picture } from "../browser.js";
import { page, site, visit } from "../inbox-visit.js";

const talk = (id: string, more: object = {}) => ({ id, title: `About ${id}`, agent: "helper", createdAt: "2026-11-16T08:00:00Z", updatedAt: "2026-11-17T09:30:00Z", waiting: false, ...more });

test("a conversation is taken up again where it was, with its agent, by the keyboard", async () => {
  site.conversations = [talk("c 1&x", { title: "Where is my parcel?", agent: "post office", waiting: true }), talk("c2")];
  await visit("#conversations");
  const first = page.getByRole("link", { name: "Where is my parcel?" });
  await first.waitFor();
  assert.match((await first.textContent())!, /With post office · 17 Nov 2026.*Waits for you/s);
  assert.equal(await page.locator(".waits").count(), 1);
  await first.press("Enter");
  await page.waitForURL((url) => url.pathname === "/" && url.searchParams.get("conversation") === "c 1&x" && url.searchParams.get("agent") === "post office");
});

test("a new conversation is begun with the agent that was picked, each time another one", async () => {
  site.agents = ["helper", "researcher"];
  await visit("#conversations");
  await page.getByText("You have not said anything yet.").waitFor();
  const seen = new Set<string>();
  for (const agent of ["researcher", "helper"]) {
    await page.getByRole("combobox", { name: "With which agent" }).selectOption(agent);
    await page.getByRole("button", { name: "New conversation" }).click();
    await page.waitForURL((url) => url.pathname === "/" && url.searchParams.get("agent") === agent);
    seen.add(new URL(page.url()).searchParams.get("conversation")!);
    await page.goBack();
  }
  assert.equal(seen.size, 2);
  assert.ok([...seen].every((id) => id.length > 20));
});

test("more are read on demand, and an error is said", async () => {
  site.conversations = Array.from({ length: 120 }, (_, i) => talk(`c${i}`));
  await visit("#conversations");
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByRole("link", { name: "About c99" }).waitFor();
  assert.equal(await page.locator("a.thing").count(), 100);
  site.refuse = (path) => (path === "GET /run/api/chat" ? [503, { error: "Something is wrong on our side." }] : undefined);
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByRole("alert").getByText("Something is wrong on our side.").waitFor();
  assert.equal(await page.locator("a.thing").count(), 100);
  site.refuse = () => undefined;
  await page.getByRole("button", { name: "Show more" }).click();
  await page.locator("a.thing").nth(119).waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
});

test("a server without agents says so", async () => {
  site.refuse = (path) => (path.startsWith("GET /run/") ? [404, {}] : undefined);
  await visit("#conversations");
  await page.getByText("This server has no agents to talk to.").waitFor();
  assert.equal(await page.getByRole("button", { name: "New conversation" }).count(), 0);
});

for (const [name, options] of Object.entries({
  desktop: { viewport: { width: 1280, height: 800 } },
  "dark-phone": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" },
} satisfies { [name: string]: BrowserContextOptions })) {
  test(`conversations keep nobody out and fit the screen (${name})`, async () => {
    site.agents = ["helper", "researcher"];
    site.conversations = [talk("c1", { title: "Where is my parcel, and who can tell me when it will come?", waiting: true }), talk("c2"), talk("c3")];
    await visit("#conversations", options);
    await page.locator("a.thing").nth(2).waitFor();
    assert.deepEqual(await barriers(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    await picture(page, `inbox-conversations-${name}`);
  });
}
