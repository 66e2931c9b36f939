// The inbox on a phone: what was done is said where it was done, and tables can be read.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions, Locator } from "playwright-core";
import { barriers, picture } from "../browser.js";
import { page, site, visit } from "../inbox-visit.js";

const phone = { viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true };
const screens = {
  desktop: { viewport: { width: 1280, height: 800 } },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  phone,
  "dark-phone": { ...phone, colorScheme: "dark" },
} satisfies { [name: string]: BrowserContextOptions };

const button = (name: string | RegExp) => page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name });
const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

// onScreen is empty if all of an element is where somebody looks at this moment, else where it is.
async function onScreen(what: Locator): Promise<string> {
  await what.waitFor();
  return what.evaluate(async (e) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const box = e.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth ? "" : JSON.stringify([box, innerHeight]);
  });
}

// broken are the widths of cells without room for words.
const broken = (cells: Locator) => cells.evaluateAll((all) => all.map((e) => e.getBoundingClientRect().width).filter((width) => width > 0 && width < 150));

// What permit asks (render.go): letters that are written from right to left are written out in the message.
const hire = {
  from: "bank",
  message: 'Allow this call?\n\nService: bank ("Acme Bank")\nTool: hire\nArguments:\n{\n  "who": "\\u05e9\\u05dc\\u05d5\\u05dd 100 50"\n}',
  labels: { server: "bank", tool: "hire", title: "Acme Bank", digest: "d", call: "c" },
};
const brief = { ...hire, message: "Allow this call?\n\n…", labels: { ...hire.labels, brief: "Allow this call? It has 20083 bytes (digest t3pFJX97Z34oeCXhb7C1GD8rAULcjTbXCWwX8FTduJI), which is more than can be shown here. Open its page to see all of it, and decide there." } };
const waits = {
  from: "bank", trigger: "approvers", requested_schema: undefined,
  message: 'Waiting for 2 of bob, carol and dave to allow this call.\n\nRule: transfers\nService: bank ("Acme Bank")\nTool: transfer\nArguments:\n{\n  "amount": 555\n}',
  labels: { server: "bank", tool: "transfer", title: "Acme Bank", digest: "d", call: "c", quorum: "gather-x.y" },
};

for (const [screen, options] of Object.entries(screens))
  test(`those that are answered at once can be read, also in Hebrew (${screen})`, async () => {
    site.open(brief, true);
    site.open(hire, true);
    site.open({ trigger: "ask", from: "ci", message: "Deploy?", requested_schema: { type: "object", properties: { why: { type: "string" } } }, labels: { asker: "parley-program:release", ask: "a" } }, true);
    await visit("", options);
    await button("Choose several").click();
    await button("Choose all").click();
    await button("Answer 3…").click();
    await page.getByRole("cell").filter({ hasText: "שלום" }).waitFor();
    assert.equal(await page.getByText("\\u05e9").count(), 0);
    assert.deepEqual(await broken(page.getByRole("cell").filter({ hasText: /\w/ })).then((all) => (options.viewport.width > 400 ? [] : all)), []);
    assert.equal(await page.getByRole("cell", { name: "Open", exact: true }).count(), 3);
    assert.equal(await page.getByRole("row").count(), 4, "it stays a table for who hears it");
    assert.deepEqual(await barriers(page), []);
    assert.ok(await fits());
    await picture(page, `inbox-many-${screen}`);
    await button("Allow each once").click();
    await page.getByText("1 of 3 done, 2 left open.").waitFor();
    await picture(page, `inbox-many-done-${screen}`);
  });

test("a row shows the letters of a call, and so does what was allowed", async () => {
  site.open(hire, true);
  site.permissions = [{ id: "p", user: "alice", effect: "allow", server: "bank", tool: "hire", digest: "d", arguments: '{"who":"שלום 100 50"}', once: false, created_at: "2026-11-01T08:00:00Z", uses: 0 }];
  await visit("", phone);
  await page.locator(".row").filter({ hasText: 'May hire be called? { "who": "שלום 100 50" }' }).waitFor();
  await page.goto(`${site.url}/inbox?again#permissions`);
  assert.equal(await page.locator("pre bdi[dir=rtl]").textContent(), "שלום");
});

for (const [screen, options] of Object.entries(screens))
  test(`what others decide stands under a heading of its own and is not offered (${screen})`, async () => {
    const own = site.open(hire, true);
    site.open(waits, true);
    site.open(waits, true);
    await visit("", options);
    await page.getByRole("heading", { name: "Waiting for others" }).waitFor();
    assert.equal(await page.getByRole("list", { name: "Waiting for you" }).getByRole("listitem").count(), 1);
    assert.equal(await page.getByRole("list", { name: "Waiting for others" }).getByRole("listitem").count(), 2);
    assert.equal(await page.title(), "(1) Inbox – Parley", "the badge counts what is under the first");
    await button("Choose several").click();
    assert.equal(await page.getByRole("checkbox").count(), 1);
    await button("Choose all").click();
    await button("Answer 1…").waitFor();
    assert.deepEqual(await barriers(page), []);
    await picture(page, `inbox-others-${screen}`);
    await button("Cancel").click();
    // The keyboard goes through them in the order in which they stand.
    await page.locator(".row").first().focus();
    await page.keyboard.press("j");
    assert.match((await page.locator(".row:focus").textContent())!, /Others decide/);
    site.settle(own, { action: "accept", content: { decision: "deny" }, via: "page" });
    await page.getByText("Nothing waits for you.").waitFor();
    assert.equal(await page.locator(".places .count").isVisible(), false, "no badge that says 0");
    assert.equal(await button("Choose several").count(), 0);
  });

test("what is wrong with an absence is said at its fields", async () => {
  await visit("#notifications", phone);
  await page.getByLabel("First day").fill("2026-12-20");
  await page.getByLabel("Last day").fill("2026-12-01");
  await button("I am away then").click();
  const said = page.getByRole("alert").getByText("The last day is before the first. Correct one of them.");
  assert.equal(await onScreen(said), "");
  assert.equal(await page.getByLabel("Last day").getAttribute("aria-invalid"), "true");
  assert.equal(await page.getByLabel("Last day").getAttribute("aria-describedby"), await said.evaluate((e) => e.closest("[id]")!.id));
  assert.deepEqual(await barriers(page), []);
  await picture(page, "inbox-absence-wrong-phone");
  await page.getByLabel("Last day").fill("2026-12-24");
  await button("I am away then").click();
  await page.getByText("You will be away from").waitFor();
  assert.equal(await onScreen(page.getByText("Stored.", { exact: true })), "");
  assert.equal(await page.getByLabel("Last day").getAttribute("aria-invalid"), "false");
});

test("what comes of a change of a channel or a browser is said in its row", async () => {
  site.me.browsers = Array.from({ length: 12 }, (_, i) => ({ id: `ab${i}`, label: `Browser ${i}`, created_at: "2026-11-01T08:00:00Z" }));
  await visit("#notifications", phone);
  await button("Send a test: Browser 11").click();
  assert.equal(await onScreen(page.getByRole("listitem").filter({ hasText: "Browser 11" }).getByText("Sent. It appears within a few seconds.")), "");
  site.refuse = (path) => (path.startsWith("PUT ") ? [500, {}] : undefined);
  await page.getByRole("checkbox", { name: "Webhook ops: on" }).click();
  assert.equal(await onScreen(page.getByRole("listitem").filter({ hasText: "Webhook ops" }).getByRole("alert").getByText("Something went wrong at the server. Try again.")), "");
  assert.equal(await page.getByText("Sent. It appears").count(), 0, "what was said before is over");
  assert.deepEqual(await barriers(page), []);
});

test("what cannot be taken back says so beside its button, which keeps the focus", async () => {
  site.permissions = Array.from({ length: 12 }, (_, i) => ({ id: `p${i}`, user: "alice", effect: "allow", server: "shop", tool: `order${i}`, once: false, created_at: "2026-11-01T08:00:00Z", uses: 0 }));
  site.refuse = (path) => (path.startsWith("DELETE ") ? [409, { detail: "It is used up." }] : undefined);
  await visit("#permissions", phone);
  await button("Take back: order11 of shop").click();
  await button("Really take back: order11 of shop").click();
  assert.equal(await onScreen(page.getByRole("listitem").filter({ hasText: "order11" }).getByRole("alert").getByText("It is used up.")), "");
  assert.ok(await button("Take back: order11 of shop").evaluate((e) => e.matches(":focus")));
  assert.deepEqual(await barriers(page), []);
});

test("what fails further down is said there", async () => {
  for (let i = 0; i < 60; i++) site.open({}, true);
  site.conversations = Array.from({ length: 60 }, (_, i) => ({ id: `c${i}`, title: `Talk ${i}`, agent: "helper", updatedAt: "2026-11-17T09:30:00Z", waiting: false }));
  await visit("#conversations", phone);
  await button("Show more").waitFor();
  site.refuse = (path) => (path === "GET /run/api/chat" || path === "GET /api/elicitations" ? [503, { detail: "Not now." }] : undefined);
  await button("Show more").click();
  assert.equal(await onScreen(page.getByRole("alert").getByText("Not now.")), "");
  site.refuse = () => undefined;
  await page.goto(`${site.url}/inbox?again`);
  await button("Show more").waitFor();
  site.refuse = (path) => (path === "GET /api/elicitations" ? [503, { detail: "Not now." }] : undefined);
  await button("Show more").click();
  assert.equal(await onScreen(page.getByRole("alert").getByText("Not now.")), "");
});
