// The page /inbox, under the policy of the hosted pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { barriers, picture, wholeIn } from "../browser.js";
import { approverMessage } from "../inbox-site.js";
import { page, site, visit } from "../inbox-visit.js";

const rows = () => page.locator(".row");
const focusedRow = () =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.getAttribute("data-id") ?? at?.id;
  });
const row = (id: string) => page.locator(`.row[data-id=${id}]`);

test("an inbox without questions says so, and shows the first one when it comes", async () => {
  await visit();
  await page.getByText("Nothing waits for you.").waitFor();
  assert.deepEqual(await barriers(page), []);
  await picture(page, "inbox-empty");
  assert.equal(site.looked, 1);
  site.open();
  await rows().waitFor();
  assert.equal(await page.title(), "(1) Inbox – Parley");
  assert.equal(await page.locator(".places .count").textContent(), "1");
});

test("questions are gone through, opened and answered with the keyboard, and the focus is kept", async () => {
  const [oldest, middle, newest] = [site.open(), site.open(), site.open()];
  await visit();
  await rows().nth(2).waitFor();
  await rows().first().focus();
  await page.keyboard.press("j");
  assert.equal(await focusedRow(), middle);
  await page.keyboard.press("ArrowDown");
  assert.equal(await focusedRow(), oldest);
  await page.keyboard.press("k");
  assert.equal(await focusedRow(), middle);
  site.open();
  await rows().nth(3).waitFor();
  assert.equal(await focusedRow(), middle, "a new question moves nothing");
  await page.keyboard.press("Enter");
  await page.locator("[data-decision=deny]").waitFor();
  await page.waitForFunction(() => document.querySelector("parley-inbox")?.shadowRoot?.querySelector("parley-inbox-questions")?.shadowRoot?.querySelector("parley-question")?.shadowRoot?.activeElement?.id === "title");
  await page.keyboard.press("Escape");
  assert.equal(await focusedRow(), middle);
  await page.keyboard.press("Enter");
  await page.locator("[data-decision=deny]").focus();
  await page.keyboard.press("Enter");
  await page.getByText("You denied it.").first().waitFor();
  await row(middle).waitFor({ state: "detached" });
  assert.deepEqual(site.answers, [{ conversationId: "", elicitationId: middle, action: "accept", content: { decision: "deny" } }]);
  await page.keyboard.press("j");
  assert.equal(await focusedRow(), oldest);
  assert.equal(await row(newest).count(), 1);
});

test("the keyboard begins at the first row, from anywhere on the page but a field", async () => {
  const [oldest, middle] = [site.open(), site.open()];
  await visit();
  await rows().nth(1).waitFor();
  const newest = site.open(); // which is the first as soon as it is there
  await rows().nth(2).waitFor();
  await page.keyboard.press("Control+j");
  assert.equal(await focusedRow(), "");
  await page.keyboard.press("j");
  assert.equal(await focusedRow(), newest);
  await page.keyboard.press("j");
  assert.equal(await focusedRow(), middle);
  await page.mouse.click(900, 700);
  assert.equal(await focusedRow(), "");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focusedRow(), middle, "the row that had the focus");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator("[data-decision=deny]").waitFor();
  await page.mouse.click(900, 700);
  await page.keyboard.press("ArrowUp");
  assert.equal(await focusedRow(), "", "arrows scroll what is open");
  await page.keyboard.press("Escape");
  assert.equal(await focusedRow(), oldest);
  await page.evaluate(() => document.querySelector("main")!.append(document.createElement("input"), document.createElement("select")));
  for (const field of ["main input", "main select"]) {
    await page.locator(field).focus();
    await page.keyboard.press("k");
    assert.equal(await focusedRow(), "", field);
  }
  await page.getByRole("link", { name: "History" }).focus();
  await page.keyboard.press("k");
  assert.equal(await focusedRow(), oldest);
});

test("Tab comes to the first row", async () => {
  const [, newest] = [site.open(), site.open()];
  await visit();
  await rows().nth(1).waitFor();
  await page.getByRole("button", { name: "Choose several" }).focus();
  await page.keyboard.press("Tab");
  assert.equal(await focusedRow(), newest);
});

const asked = { from: "bank", message: approverMessage, labels: { server: "bank", tool: "transfer", asker: "ned" } };

test("a row says which call it is about and whose, here and in the history, and no line break is written out", async () => {
  site.open({ ...asked, message: approverMessage.replace("eve", "e\u202eve"), labels: { ...asked.labels, title: "The Bank" } }, true);
  site.open({ ...asked, labels: { ...asked.labels, asker: "parley-program:release", brief: "It has 24139 bytes." } }, true);
  site.open({ ...asked, trigger: "approvers", message: approverMessage.replace(/^[^]*Rule/, "Waiting for bob to allow this call.\n\nRule"), labels: { server: "bank", tool: "transfer" } }, true);
  site.open({ trigger: "ask", from: "ci", message: "Deploy?\n\nTo \u200bproduction.\n", labels: { asker: "parley-program:release" } }, true);
  const told = [
    /^ci asks you Deploy\? To \\u200bproduction\. .* by the program release/,
    /^transfer at bank May transfer be called by the program release\? 17 Nov /,
    /^transfer at The Bank May transfer be called for ned\? \{ "amount": 100, "currency": "EUR", "note": "rent", "reference": "2026-11", "to": "e\\u202eve" \} 17 Nov .* for ned$/,
  ];
  const others = /^Others decide about bank May transfer be called\? \{ "amount": 100, /;
  const reads = async (shown: string[], wanted: RegExp[]) => wanted.forEach((want, i) => assert.match(shown[i]!.replace(/\s+/g, " ").trim(), want));
  await visit();
  await rows().nth(3).waitFor();
  await reads(await rows().allTextContents(), [...told, others]);
  for (const q of site.questions) site.settle(String(q["id"]), { action: "cancel", by: "" }, true);
  await page.goto(`${site.url}/inbox?again#history`);
  await page.locator(".thing").nth(3).waitFor();
  const history = (await page.locator(".thing .about").allTextContents()).map((text) => text.replace(/Asked (.*?) · .*$/s, "$1"));
  await reads(history, [told[0]!, others, ...told.slice(1)]);
});

for (const [width, height] of [[1280, 900], [390, 664]] as const)
test(`an approver has the whole call before the buttons, at ${width} pixels`, async () => {
  site.open(asked, true);
  await visit("", { viewport: { width, height } });
  await rows().first().click();
  const call = page.locator("parley-question .whole");
  await call.waitFor();
  assert.equal(await call.textContent(), approverMessage);
  assert.ok(await wholeIn(call));
  const [shown, allow] = [(await call.boundingBox())!, (await page.getByRole("button", { name: "Allow once" }).boundingBox())!];
  assert.ok(shown.y + shown.height <= allow.y);
  if (width > 1000) assert.ok(shown.y >= 0 && shown.y + shown.height <= height, `it ends at ${shown.y + shown.height}`);
});

test("what is answered elsewhere closes, in the list and where it is open, and the focus goes to the next", async () => {
  const [older, open, focused] = [site.open(), site.open(), site.open()];
  await visit();
  await row(open).click();
  await page.locator("[data-decision=deny]").waitFor();
  await row(focused).focus();
  site.settle(open, { action: "accept", content: { decision: "deny" }, via: "page" });
  await page.getByText("You denied it on the hosted page.").first().waitFor();
  await row(open).waitFor({ state: "detached" });
  site.settle(focused, { action: "cancel", by: "" });
  await row(focused).waitFor({ state: "detached" });
  assert.equal(await focusedRow(), older);
});

test("what waits for other people is shown, and neither counted nor answered with the rest", async () => {
  site.open({ trigger: "approvers", requested_schema: { type: "object", properties: {} } }, true);
  site.open({}, true);
  await visit();
  await rows().nth(1).waitFor();
  assert.equal(await page.title(), "(1) Inbox – Parley");
  await page.getByRole("button", { name: "Choose several" }).click();
  await page.getByRole("button", { name: "Choose all" }).click();
  await page.getByRole("button", { name: "Answer 1…" }).click();
  await page.getByRole("button", { name: "Deny each" }).click();
  await page.getByText("1 of 1 done.").waitFor();
  assert.equal(site.answers.length, 1);
});

test("a call that waits for others shows whom, and what they said, while it is open", async () => {
  const people = [{ name: "bob" }, { name: "carol" }, { name: "dave" }];
  const id = site.open({ trigger: "approvers", message: "Waiting for 2 of bob, carol and dave", requested_schema: { type: "object", properties: {} }, labels: { server: "shop", tool: "order" } }, true);
  const other = site.open({}, true);
  site.change(id, { approvers: { need: 2, people } });
  await visit();
  await row(id).click();
  await page.getByText("Allowed by 0 of the 2 who are needed.").waitFor();
  assert.deepEqual(await barriers(page), []);
  site.change(id, { approvers: { need: 2, people: [{ name: "bob", decision: "allow_once", at: "2026-11-17T09:31:00Z" }, people[1], people[2]] } });
  await page.getByText("Allowed by 1 of the 2 who are needed.").waitFor();
  await picture(page, "inbox-panel");
  assert.equal(site.following(id), 1);
  await row(other).click();
  await page.locator("[data-decision=deny]").waitFor();
  for (let tries = 0; site.following(id) > 0 && tries < 100; tries++) await page.waitForTimeout(50);
  assert.equal(site.following(id), 0, "nobody follows what is not shown");
});

test("what happened while the connection was lost is made up for", async () => {
  const [gone, kept] = [site.open(), site.open()];
  await visit();
  await row(gone).click();
  await page.locator("[data-decision=deny]").waitFor();
  site.settle(gone, { action: "expire", by: "" }, true);
  const missed = site.open({}, true);
  site.drop();
  await row(missed).waitFor();
  await row(gone).waitFor({ state: "detached" });
  await page.getByText("Expired. Nobody answered in time.").first().waitFor();
  assert.equal(await row(kept).count(), 1);
});

test("ten thousand questions: the first are there at once, more are read on the way down, and all is live", async () => {
  for (let i = 0; i < 10_000; i++) site.open({}, true);
  await visit();
  await rows().first().waitFor();
  assert.equal(await rows().count(), 50);
  assert.equal(await page.title(), "(50+) Inbox – Parley");
  await page.locator(".list").evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await rows().nth(99).waitFor();
  const old = "q009910";
  await row(old).waitFor();
  site.settle(old, { action: "cancel", by: "" });
  await row(old).waitFor({ state: "detached" });
  await row(site.open()).waitFor();
});

test("five hundred are shown in a table, answered, and each has its result", async () => {
  site.open({ trigger: "mcp_elicitation", message: "Which colour?", requested_schema: { type: "object", properties: { colour: { type: "string" } } } }, true);
  for (let i = 0; i < 498; i++) site.open({}, true);
  const late = site.open({}, true);
  await visit();
  await page.getByRole("button", { name: "Choose several" }).click();
  await page.getByRole("button", { name: "Choose all" }).click();
  await page.getByRole("button", { name: "Answer 500…" }).click();
  await page.getByRole("heading", { name: "500 questions" }).waitFor();
  assert.deepEqual(site.answers, [], "a table first");
  assert.deepEqual(await barriers(page), []);
  site.settle(late, { action: "accept", content: { decision: "deny" } }, true);
  await page.getByRole("button", { name: "Allow each once" }).click();
  await page.getByText("498 of 500 done, 1 left open, 1 not as you said.").waitFor({ timeout: 60_000 });
  assert.equal(site.answers.length, 498);
  assert.equal(await page.locator("td.good").count(), 498);
  assert.equal(await page.locator("td.bad").textContent(), "This question is settled already: the first answer counts.");
  assert.equal(await page.locator("td.muted").textContent(), "Left open: answer it by itself.");
  await page.getByRole("button", { name: "Back to the list" }).last().click();
  await row(late).waitFor({ state: "detached" });
  assert.equal(await rows().count(), 1);
});

test("history says who, where, when and what, and a denial reads as one", async () => {
  const [late, outvoted, group, denied, allowed, withdrawn] = [site.open(), site.open(), site.open(), site.open(), site.open(), site.open()];
  site.settle(late, { action: "cancel", by: "", reason: "withdrawn: bob and carol allowed it" });
  site.settle(outvoted, { action: "accept", decision: "allow_once", via: "page", final: "deny" });
  site.settle(group, { action: "cancel", by: "", reason: "withdrawn: answered by bob and carol" });
  site.settle(denied, { action: "accept", decision: "deny", via: "chat" });
  site.settle(allowed, { action: "accept", content: { decision: "allow_once" }, via: "inbox" });
  site.settle(withdrawn, { action: "cancel", by: "", reason: "withdrawn: not needed" });
  await visit("#history");
  await page.locator(".thing").nth(5).waitFor();
  const shown = (await page.locator(".thing > div:last-child").allTextContents()).map((text) => text.replace(/\s+/g, " ").trim());
  assert.match(shown[2]!, /^Denied\. by alice · in the chat · 17 Nov 2026/);
  assert.match(shown[1]!, /^Allowed once\. by alice · in the inbox · /);
  assert.match(shown[0]!, /^No longer asked: not needed\. 17 Nov 2026/);
  assert.match(shown[3]!, /^No longer asked: answered by bob and carol\. 17 Nov 2026/);
  assert.equal(await page.locator(".thing > div:last-child > .good").count(), 1, "what was not allowed is not green");
  assert.match(shown[4]!, /^Allowed once\. In the end it was not allowed\. by alice · on its page · /);
  assert.match(shown[5]!, /^No longer asked: bob and carol allowed it\. 17 Nov 2026/);
  const receipt = page.locator(".thing").first().getByRole("link", { name: "Receipt" });
  assert.deepEqual([await receipt.getAttribute("href"), await receipt.getAttribute("download")], [`/api/elicitations/${withdrawn}/receipt`, `receipt-${withdrawn}.json`]);
  assert.deepEqual(await barriers(page), []);
  await picture(page, "inbox-history");
});

test("connections and permissions are shown, and taken back after a second word", async () => {
  site.connections = [{ server: "tracker", server_title: "Acme Tracker", scope: "user", type: "oauth2", provider: "acme", status: "active", scopes: ["issues:read"], created_at: "2026-11-01T08:00:00Z", renews: true, used_at: "2026-11-16T10:15:00Z", used_by: { agents: ["helper"], gateway: true } },
    { server: "notes", scope: "user", type: "api_key", status: "active", scopes: [], created_at: "2026-11-01T08:00:00Z", renews: false, used_by: { agents: [], gateway: false } }];
  site.permissions = [
    { id: "p1", user: "alice", effect: "allow", server: "shop", tool: "order", digest: "d", arguments: '{"boxes":3}', once: false, created_at: "2026-11-01T08:00:00Z", until: "2026-12-01T08:00:00Z", uses: 4 },
    { id: "p2", user: "alice", effect: "deny", server: "shop", once: false, created_at: "2026-11-01T08:00:00Z", uses: 0 },
    { id: "p3", user: "alice", effect: "deny", server: "bank", server_title: "Acme Bank", tool: "hire", session: "conv-1", digest: "d", arguments: '{"who":"eve"}', question: "q3", once: false, created_at: "2026-11-01T08:00:00Z", until: "2026-12-01T08:00:00Z", uses: 0 },
    { id: "p4", user: "alice", effect: "deny", server: "bank", server_title: "Acme Bank", tool: "print", session: "0123456789abcdef", digest: "d", question: "q4", once: false, created_at: "2026-11-01T08:00:00Z", until: "2026-12-01T08:00:00Z", uses: 0 },
  ];
  site.conversations = [{ id: "conv-1", title: "Whom to hire?", agent: "helper", updatedAt: "2026-11-17T09:30:00Z", waiting: false }];
  await visit("#connections");
  await page.getByText("It may: issues:read").waitFor();
  await page.getByText("Used by helper, by programs of yours at the gateway, through acme.").waitFor();
  await page.getByText("Last used 16 Nov 2026, 11:15").waitFor();
  await page.getByText("Used by nobody at present.").waitFor();
  await page.getByText("Not used yet, as far as is known").waitFor();
  assert.deepEqual(await barriers(page), []);
  await picture(page, "inbox-connections");
  await page.getByRole("button", { name: "Disconnect: Acme Tracker" }).click();
  await page.getByRole("button", { name: "Keep" }).click();
  assert.equal(site.connections.length, 2);
  await page.getByRole("button", { name: "Disconnect: Acme Tracker" }).click();
  await page.getByRole("button", { name: "Really disconnect: Acme Tracker" }).click();
  await page.getByRole("button", { name: "Disconnect: notes" }).click();
  await page.getByRole("button", { name: "Really disconnect: notes" }).click();
  await page.getByText("No account of yours is connected.").waitFor();
  await page.getByRole("link", { name: "Permissions" }).click();
  await page.getByText("with these arguments only, until 1 Dec 2026").first().waitFor();
  await page.getByText("Refused: every tool of shop").waitFor();
  const refused = page.getByRole("listitem").filter({ hasText: "Refused: hire of Acme Bank" });
  assert.equal((await refused.locator("pre").textContent())!.replace(/\s+/g, ""), '{"who":"eve"}');
  assert.equal(await refused.getByRole("link", { name: "Whom to hire?" }).getAttribute("href"), "/?agent=helper&conversation=conv-1");
  const before = page.getByRole("listitem").filter({ hasText: "Refused: print of Acme Bank" });
  await before.getByText("Its arguments were not kept with it.").waitFor();
  await before.getByText("in the session 0123456789abcdef").waitFor();
  assert.equal(await before.getByRole("link", { name: "The question" }).getAttribute("href"), "/answer/q4");
  assert.deepEqual(await barriers(page), []);
  await picture(page, "inbox-permissions");
  await page.getByRole("button", { name: "Take back: order of shop" }).click();
  await page.getByRole("button", { name: "Really take back: order of shop" }).click();
  await page.getByText("Allowed: order of shop").waitFor({ state: "detached" });
});

test("a connection is renewed where it renews itself, and not by being made", async () => {
  const one = (server: string, updated_at: string, more = {}) => ({ server, scope: "user", type: "oauth2", status: "active", scopes: [], created_at: "2026-11-01T08:00:00.01Z", updated_at, renews: true, ...more });
  site.connections = [one("tracker", "2026-11-02T08:00:00Z"), one("fresh", "2026-11-01T08:00:00.02Z"), one("notes", "2026-11-02T08:00:00Z", { type: "api_key", renews: false }), one("bank", "2026-11-02T08:00:00Z", { status: "rejected" })];
  await visit("#connections");
  await page.getByText("Connected 1 Nov 2026, 09:00").nth(3).waitFor();
  assert.deepEqual(await page.getByText(/renewed/).allTextContents(), ["Connected 1 Nov 2026, 09:00 · renewed 2 Nov 2026, 09:00"]);
});

test("programs that act as the person are shown in their own words, and ended after a second word", async () => {
  await visit("#permissions");
  await page.getByText("No program is logged in as you.").waitFor(); // also where the site has no logins
  site.logins = [
    { id: "l1", program: "parley inbox on laptop", address: "192.0.2.7", created_at: "2026-11-01T08:00:00Z", expires_at: "2026-12-01T08:00:00Z" },
    { id: "l2", program: "<b>me</b>", scope: "mcp", created_at: "2026-11-01T08:00:00Z", expires_at: "2026-12-01T08:00:00Z" },
  ];
  await page.reload();
  await page.getByText("“<b>me</b>”").waitFor();
  await page.getByText("from 192.0.2.7").waitFor();
  await page.getByText("MCP only").waitFor();
  const [above, below] = [(await page.locator("parley-inbox-permissions").boundingBox())!, (await page.getByRole("heading", { name: "Programs that act as you" }).boundingBox())!];
  assert.ok(below.y - above.y - above.height >= 24, "it does not stick to what is above");
  assert.deepEqual(await barriers(page), []);
  await page.getByRole("button", { name: "End: “parley inbox on laptop”" }).click();
  await page.getByRole("button", { name: "Really end: “parley inbox on laptop”" }).click();
  await page.getByText("from 192.0.2.7").waitFor({ state: "detached" });
  assert.equal(site.logins.length, 1);
});

test("whoever is not signed in any more is sent to sign in, and back", async () => {
  site.refuse = (path) => (path.startsWith("GET /api/") ? [401, { detail: "You are not signed in." }] : undefined);
  await visit();
  await page.waitForURL(/\/login\?next=%2Finbox$/);
});

for (const [name, options] of Object.entries({
  desktop: { viewport: { width: 1200, height: 800 } },
  dark: { viewport: { width: 1200, height: 800 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  "dark-phone": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" },
} satisfies { [name: string]: BrowserContextOptions })) {
  test(`the list and a question keep nobody out and fit the screen (${name})`, async () => {
    site.open({ trigger: "mcp_elicitation", from: "travel", labels: {}, message: "Where would you like to go?", requested_schema: { type: "object", properties: { city: { type: "string", title: "City" } } } }, true);
    site.open({ labels: { server: "shop", tool: "order", brief: "shop wants to call order with 40,000 bytes", asker: "bob" } }, true);
    const last = site.open({}, true);
    await visit("", options);
    await rows().nth(2).waitFor();
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    assert.deepEqual(await barriers(page), []);
    assert.ok(await fits());
    await picture(page, `inbox-list-${name}`);
    await row(last).click();
    await page.locator("[data-decision=deny]").waitFor();
    assert.deepEqual(await barriers(page), []);
    assert.ok(await fits());
    await picture(page, `inbox-question-${name}`);
  });
}
