// The part of the inbox for administrators.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { BrowserContextOptions, Locator } from "playwright-core";
import { barriers, picture } from "../browser.js";
import { approverMessage } from "../inbox-site.js";
import { page, site, visit } from "../inbox-visit.js";
import type { Json } from "../record.js";

let asked: string[]; // of the management API

beforeEach(() => {
  site.admin = true;
  asked = [];
});

// says has the management API answer.
function says(answers: { [request: string]: Json | [status: number, body: Json] }): void {
  site.refuse = (path) => {
    asked.push(path);
    const answer = answers[path];
    return answer === undefined ? undefined : Array.isArray(answer) ? answer : [200, answer];
  };
}

const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

const screens = {
  desktop: { viewport: { width: 1280, height: 800 } },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  "dark-phone": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" },
} satisfies { [name: string]: BrowserContextOptions };

// onEveryScreen looks at a part of the page on all of them.
function onEveryScreen(name: string, prepare: () => void, part: string, ready: () => Promise<unknown>): void {
  for (const [screen, options] of Object.entries(screens)) {
    test(`${name} keep nobody out and fit the screen (${screen})`, async () => {
      prepare();
      await visit(`#${part}`, options);
      await ready();
      assert.deepEqual(await barriers(page), []);
      assert.ok(await fits());
      await picture(page, `${part.replace("/", "-")}-${screen}`);
    });
  }
}

const servers = {
  items: [
    {
      name: "shop", title: "The shop", url: "https://shop.example/mcp", transport: "http", approve: "unsafe", enabled: true, agents: ["assistant"], source: "configuration",
      auth: { type: "mcp", scope: "user", scopes: [], has_token: false, has_client_secret: false },
      status: { state: "up", since: "2026-11-17T09:00:00Z", tools: 12, left_out_count: 60, left_out: [{ kind: "tool", name: "bad\u202etool", reason: "its name has characters that clients do not take" }] },
    },
    {
      name: "desk", url: "https://desk.example/mcp", transport: "http", approve: "always", enabled: true, agents: [], source: "api",
      auth: { type: "api_key", scope: "platform", scopes: [], has_token: true, has_client_secret: false },
      status: { state: "down", error: "dial tcp: connection refused", since: "2026-11-17T09:00:00Z" },
    },
    {
      name: "travel", title: "Travel desk", url: "https://travel.example/", transport: "a2a", approve: "unsafe", enabled: true, agents: ["assistant"], source: "api",
      auth: { type: "none", scope: "platform", scopes: [], has_token: false, has_client_secret: false },
      status: { state: "down", error: "Travel desk has a card that sends its callers to another host (evil.example).", since: "2026-11-17T09:00:00Z" },
    },
  ],
};
const providers = {
  items: [{ name: "acme", title: "Acme", auth_url: "https://acme.example/authorize", token_url: "https://acme.example/token", client_id: "parley", has_secret: false, scopes: ["read"], redirect_uri: "https://parley.example/oauth/callback/acme~default", source: "api", require_iss: false }],
};
const checklist = {
  server: "shop", ready: false, redirect_uri: "https://parley.example/oauth/callback/mcp.shop",
  items: [
    { item: "metadata", ok: true, detail: "The server names https://id.example, whose metadata was found." },
    { item: "auth_scope", ok: false, detail: "The server's auth.scope is platform: nobody is asked in the chat.", fix: 'Set auth.scope to "user".' },
  ],
};
const setup = { "GET /api/servers": servers, "GET /api/providers": providers, "GET /api/servers/shop/checklist": checklist };

async function openChecklist(): Promise<void> {
  await page.getByText("Setup checklist of shop").click();
  await page.getByText("Something is missing").waitFor();
}

test("whoever manages nothing has no such part, and is asked for nothing of it", async () => {
  site.admin = false;
  says(setup);
  await visit("#administration/servers");
  await page.getByText("Nothing waits for you.").waitFor();
  assert.equal(await page.getByRole("link", { name: "Administration" }).count(), 0);
  assert.ok(!asked.includes("GET /api/servers"));
});

test("what the server refuses is said", async () => {
  says({ "GET /api/servers": [403, { detail: "This is for administrators." }] });
  await visit("#administration");
  await page.getByRole("alert").getByText("This is for administrators.").waitFor();
});

test("servers say how they are, why, and what is missing", async () => {
  says(setup);
  await visit("#administration");
  await page.getByText("dial tcp: connection refused").waitFor();
  assert.ok(!asked.includes("GET /api/servers/shop/checklist"), "a checklist is read when it is opened");
  assert.equal(await page.getByText("Setup checklist of").count(), 1, "a server that takes a key has nothing to set up");
  await page.getByText("60 left out of what it lists").focus();
  await page.keyboard.press("Enter");
  await page.getByText("its name has characters").waitFor();
  await openChecklist();
  await page.getByText("https://parley.example/oauth/callback/mcp.shop").waitFor();
  await page.getByText("No client secret is stored").waitFor();
  await page.getByRole("button", { name: "Check again" }).click();
  await page.waitForFunction(() => true);
  assert.equal(asked.filter((a) => a === "GET /api/servers/shop/checklist").length, 2);
});

test("an agent elsewhere is told from MCP servers, and what is wrong with its card is said", async () => {
  says(setup);
  await visit("#administration");
  const agent = page.getByRole("listitem").filter({ hasText: "Travel desk" }).first();
  await agent.getByText("An agent elsewhere, by A2A: https://travel.example/").waitFor();
  await agent.getByText("Tasks need an approval: unsafe · credential: none · agents that delegate to it: assistant").waitFor();
  await agent.getByText("sends its callers to another host (evil.example)").waitFor();
  assert.equal(await page.getByText("Calls need an approval").count(), 2);
});

onEveryScreen("servers", () => says(setup), "administration/servers", openChecklist);

function someQuestions(): void {
  says({});
  site.open({ to: "bob", message: approverMessage, labels: { server: "shop", tool: "order", asker: "parley-program:release" } }, true);
  const denied = site.open({ to: "bob" }, true);
  site.settle(denied, { action: "accept", decision: "deny", content_private: true, by: "bob", via: "page" }, true);
  const back = site.open({ to: "bob" }, true);
  site.settle(back, { action: "accept", decision: "asked_back", content_private: true, by: "bob", via: "page" }, true);
  const late = site.open({ to: "bob" }, true);
  site.settle(late, { action: "cancel", by: "", reason: "withdrawn: carol allowed it with changes" }, true);
  site.open({ to: "dora", mode: "url", trigger: "credential_required", from: "drive", labels: {}, message: "Connect your account", requested_schema: undefined }, true);
}

test("questions of the tenant are shown as they were decided, and can be withdrawn", async () => {
  someQuestions();
  await visit("#administration/questions");
  await page.getByText("To bob").first().waitFor();
  await page.getByText("To dora").waitFor();
  await page.locator("parley-admin-questions").getByText('May order be called by the program release? { "amount": 100, ').waitFor();
  await page.getByLabel("Which").selectOption("settled");
  await page.getByText("Denied.").waitFor();
  await page.getByText("by bob · on its page").first().waitFor();
  await page.getByText("Asked back: the call was not made.").waitFor();
  await page.getByText("No longer asked: carol allowed it with changes.").waitFor();
  assert.doesNotMatch((await page.locator("parley-admin-questions .things").textContent())!, /\byou\b/i);
  await page.getByLabel("Which").selectOption("pending");
  await page.getByRole("button", { name: /^Withdraw: .*order/ }).click();
  await page.getByRole("button", { name: /^Really withdraw: / }).click();
  await page.getByText(/^Withdrawn: /).waitFor({ state: "attached" });
  assert.ok(asked.some((a) => /^POST \/api\/elicitations\/q\d+\/cancel$/.test(a)));
});

onEveryScreen("questions of the tenant", someQuestions, "administration/questions", () => page.getByText("To bob").first().waitFor());

const runs = {
  looked_at: 5000,
  complete: false,
  items: [
    {
      id: "r2", trace: "4bf92f3577b34da6a3ce929d0e0e4736", trace_url: "https://jaeger.example/trace/4bf92f3577b34da6a3ce929d0e0e4736", user: "bob", agent: "assistant", status: "waiting", created_at: "2026-11-17T09:30:00Z", updated_at: "2026-11-17T09:30:05Z", timeline_count: 5,
      timeline: [
        { kind: "model", step: 1, from: "2026-11-17T09:30:00Z", to: "2026-11-17T09:30:02.4Z" },
        { kind: "call", step: 1, server: "shop", tool: "look", from: "2026-11-17T09:30:02.4Z", to: "2026-11-17T09:30:02.9Z", how: "failed" },
        { kind: "call", step: 1, server: "shop", tool: "order\u202e", from: "2026-11-17T09:30:02.4Z", pending: true },
        {
          kind: "wait", step: 1, server: "shop", tool: "order", from: "2026-11-17T09:30:02.4Z", pending: true, needed: 2, asked: { id: "q1", to: "bob", trigger: "approvers" },
          approvers: [{ name: "ada", decision: "allow_once", at: "2026-11-17T09:42:00Z" }, { name: "carol" }],
        },
        { kind: "surprise", step: 1 },
      ],
    },
    {
      id: "r1", trace: "11111111111111111111111111111111", trace_url: "javascript:alert(1)", user: "alice", agent: "assistant", status: "ended", reason: "done", created_at: "2026-11-17T08:30:00Z", updated_at: "2026-11-17T08:50:00Z", timeline_count: 2,
      nodes: [
        { node: "aaaabbbbccccdddd", from: "2026-11-17T08:30:00Z" },
        { node: "eeeeffff22223333", from: "2026-11-17T08:49:59Z", after: "waiting" },
        { node: "<b>gggg\u202e", from: "2026-11-17T08:50:00Z", after: "left" },
        { from: "2026-11-17T08:50:00Z" },
      ],
      timeline: [
        { kind: "call", step: 1, server: "shop", tool: "order", from: "2026-11-17T08:30:01Z", to: "2026-11-17T08:50:00Z", how: "refused" },
        { kind: "wait", step: 1, server: "shop", tool: "order", from: "2026-11-17T08:30:01Z", to: "2026-11-17T08:49:59Z", asked: { id: "q0", to: "alice", trigger: "tool_approval", action: "accept", decision: "deny", by: "alice", via: "page", at: "2026-11-17T08:49:59Z" } },
      ],
    },
    { id: "r0", user: "alice", agent: "assistant", status: "ended", reason: "done", created_at: "2026-11-01T08:30:00Z", updated_at: "2026-11-01T08:50:00Z", timeline_count: 1, timeline: [{ kind: "model", step: 1 }] },
  ],
};

async function openTimelines(): Promise<void> {
  await page.getByText("assistant for bob").first().waitFor();
  for (const one of await page.locator("parley-admin-runs summary").all()) await one.click();
  await page.locator("parley-run-timeline rect.wait").first().waitFor();
}

test("a run is a picture of its calls and waits, and a table that says the same", async () => {
  says({ "GET /api/runs": runs });
  await visit("#administration/runs");
  await openTimelines();
  const first = page.locator("parley-run-timeline").first();
  assert.equal(await first.locator("svg[role=img] rect.wait").count(), 1);
  assert.equal(await first.locator("svg[role=img] rect.call").count(), 2);
  assert.equal(await first.locator("svg[role=img] circle").count(), 1, "who has said something is marked");
  await first.getByText("The same as a table").focus();
  await page.keyboard.press("Enter");
  await first.getByRole("cell", { name: "Waiting for ada, carol: order, shop" }).waitFor();
  await first.getByRole("cell", { name: "2 needed, ada allowed" }).waitFor();
  assert.equal(await first.getByRole("cell", { name: "goes on" }).count(), 2);
  const second = page.locator("parley-run-timeline").nth(1);
  await second.getByText("The same as a table").click();
  await second.getByRole("cell", { name: "alice denied" }).waitFor();
  await second.getByRole("cell", { name: "20 min" }).first().waitFor();
  assert.equal(await first.getByRole("link", { name: "4bf92f3577b34da6a3ce929d0e0e4736" }).getAttribute("href"), "https://jaeger.example/trace/4bf92f3577b34da6a3ce929d0e0e4736");
  await second.getByText("11111111111111111111111111111111").waitFor();
  const nodes = await second.getByRole("list", { name: "Where the run was" }).getByRole("listitem").allTextContents();
  assert.equal(nodes.length, 3);
  assert.equal(nodes[0], "Began at node aaaabbbbccccdddd");
  assert.match(nodes[1]!, /^Went on at node eeeeffff22223333 after it had waited, .*\d/);
  assert.match(nodes[2]!, /^Went on at node <b>gggg[^\u202e]* after node eeeeffff22223333 died or handed it over, /);
  assert.equal(await second.locator("svg[role=img] line.move").count(), 2, "where it went on is marked");
  assert.equal(await first.getByRole("list", { name: "Where the run was" }).count(), 0, "of a run from before nothing is known");
  assert.equal(await second.getByRole("link").count(), 0, "what is no web address is no link");
  await page.getByText("When things happened was not kept yet").waitFor();
  await page.getByText("There are more runs than one look goes through").waitFor();
});

onEveryScreen("runs", () => says({ "GET /api/runs": runs }), "administration/runs", openTimelines);

const rules = {
  items: [
    { name: "spending", server: "shop", tool: "pay*", when: "args.amount > 100", approve: "always", approvers: { need: 2, of: ["ada", "bob"] }, position: 1, source: "api", ttl_seconds: 259200, choices: ["allow_once", "a-word-of-later"], page: true, slack: "C0123456" },
    { name: "house", tool: "delete*", destructive: true, approve: "refuse", position: 2, source: "configuration" },
    { name: "pays", tool: "pay", approve: "always", approvers: { need: 1, of: ["bob", "carol"] }, position: 3, source: "configuration", escalate: [{ after_seconds: 1200, to: ["dave"] }, { after_seconds: 86400, to: ["frank", "gina"] }] },
  ],
};
const trial = {
  since: "2026-11-10T10:00:00Z", until: "2026-11-17T10:00:00Z", looked_at: 412, complete: false,
  counts: { unchanged: 408, ask: 0, approvers: 2, refuse: 1, pass: 0, unknown: 1 },
  not_known: [{ what: "gateway", text: "Calls through the gateway that nobody was asked about are recorded nowhere, so they are not here." }],
  items: [
    { at: "2026-11-17T09:00:00Z", user: "bob", agent: "assistant", server: "shop", server_title: "The shop", tool: "pay", how: "succeeded", now: "ask", then: "approvers", rule: "spending", approvers: { need: 1, of: ["ada"] } },
    { at: "2026-11-16T09:00:00Z", user: "carol", server: "shop", tool: "pay", now: "ask", then: "unknown" },
    { at: "2026-11-15T09:00:00Z", user: "dora", agent: "assistant", server: "shop", tool: "pay", how: "refused", now: "ask", then: "refuse", rule: "spending", why: "no such key: amount" },
  ],
};
const ruling = { "GET /api/rules": rules, "POST /api/rule-trials": trial, "PUT /api/rules/spending": {}, "DELETE /api/rules/spending": {} };

async function tryChange(): Promise<void> {
  await page.getByRole("button", { name: "Try a change of spending" }).click();
  await page.getByLabel("Only when").fill("args.amount > 50");
  await page.keyboard.press("Enter");
  await page.getByText("412 calls").waitFor();
}

test("a rule is tried on what was recorded, and stored as it was tried", async () => {
  const sent: Json[] = [];
  says(ruling);
  await visit("#administration/rules");
  page.on("request", (r) => r.method() === "GET" || !/rule/.test(r.url()) || sent.push({ to: `${r.method()} ${new URL(r.url()).pathname}`, ...(JSON.parse(r.postData() ?? "{}") as Json) }));
  await page.getByText("For calls of delete* whose tool is destructive, it refuses such calls.").waitFor();
  await page.getByText("Who is asked may say: allow once, a-word-of-later, deny.").waitFor();
  await page.getByText("Who is asked has 3 days.").waitFor();
  await page.getByText("It is decided on its signed-in page, and nowhere else.").waitFor();
  await page.getByText("The approvers are asked in the Slack channel C0123456.").waitFor();
  await page.getByText("Then it also asks dave after 20 minutes, frank and gina after 1 day.").waitFor();
  assert.equal(await page.getByRole("button", { name: /house/ }).count(), 0, "what the configuration says is changed there");
  await tryChange();
  await page.getByText("1 would have been refused; 2 would have needed approvers; 1 cannot be judged; 408 are as before.").waitFor();
  await page.getByRole("cell", { name: "approvers are asked: 1 of ada" }).waitFor();
  await page.getByRole("cell", { name: "pay, The shop" }).waitFor();
  await page.getByText("There were more calls than one trial looks at").waitFor();
  await page.getByText("It keeps what is not asked for here: ttl_seconds, choices.").waitFor();
  const changed = { name: "spending", server: "shop", tool: "pay*", when: "args.amount > 50", approve: "always", approvers: { need: 2, of: ["ada", "bob"] }, ttl_seconds: 259200, choices: ["allow_once", "a-word-of-later"], page: true, slack: "C0123456" };
  assert.deepEqual(sent[0]!["rule"], changed);
  assert.ok(Math.abs(Date.parse(String(sent[0]!["since"])) - (Date.now() - 7 * 24 * 3600_000)) < 300_000);
  // What is stored is what was tried: when the form says something else, it has to be tried again.
  await page.getByRole("textbox", { name: "Tool" }).fill("pay");
  await page.getByRole("button", { name: "Change the rule spending" }).waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Tool" }).fill("pay*");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("button", { name: "Change the rule spending" }).click();
  await page.getByText("Stored: spending. It holds from now on.").waitFor();
  assert.deepEqual(sent.at(-1), { to: "PUT /api/rules/spending", ...changed });
});

test("where a rule's calls are decided and its approvers are asked is changed in its form", async () => {
  says(ruling);
  await visit("#administration/rules");
  const tried = async () => ((await page.waitForRequest(/rule-trials/)).postDataJSON() as { rule: Json }).rule;
  const tries = async () => (await Promise.all([tried(), page.getByRole("button", { name: "Try it" }).click()]))[0];
  await page.getByRole("button", { name: "Try a change of spending" }).click();
  await page.getByLabel("Where it is decided").selectOption("wherever it is shown");
  await page.getByLabel("Where they are asked").fill("");
  const without = await tries();
  assert.deepEqual([without["page"], without["slack"], without["ttl_seconds"]], [undefined, undefined, 259200]);
  await page.getByText("412 calls").waitFor();
  await page.getByLabel("Where it is decided").selectOption("on its signed-in page only");
  await page.getByLabel("Where they are asked").fill("T0123456/C0123456");
  const both = await tries();
  assert.deepEqual([both["page"], both["slack"]], [true, "T0123456/C0123456"]);
  await page.getByText("412 calls").waitFor();
  // What is no channel is not sent.
  await page.getByLabel("Where they are asked").fill("#general");
  await page.getByRole("button", { name: "Try it" }).click();
  assert.equal(await page.getByLabel("Where they are asked").evaluate((e: HTMLInputElement) => e.validity.patternMismatch), true);
});

test("what is wrong with a rule is said, and nothing is stored", async () => {
  says({ ...ruling, "POST /api/rule-trials": [422, { detail: "This cannot be taken as it is.", errors: [{ location: "body.rule.when", message: "line 1, column 3: it cannot be read" }] }] });
  await visit("#administration/rules");
  await page.getByLabel("Name").fill("new");
  await page.getByLabel("Only when").fill("a >");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("alert").getByText("line 1, column 3: it cannot be read").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Store/ }).count(), 0);
});

onEveryScreen("rules", () => says(ruling), "administration/rules", tryChange);

// seen reports whether all of an element is on the screen at this moment, once that has settled.
const seen = (what: Locator) =>
  what.evaluate(async (e) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const box = e.getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
  });

test("on a phone the whole result of a trial can be read without scrolling sideways", async () => {
  says(ruling);
  await visit("#administration/rules", screens.phone);
  await tryChange();
  const cell = page.getByRole("cell", { name: "approvers are asked: 1 of ada" });
  const box = (await cell.boundingBox())!;
  assert.ok(box.x >= 0 && box.x + box.width <= screens.phone.viewport.width && box.width > 150);
  assert.equal(await page.getByRole("row").count(), 4);
  const wide = await page.locator("parley-admin-rules").evaluate((e) => [...e.shadowRoot!.querySelectorAll("*")].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "auto").length);
  assert.equal(wide, 0, "nothing scrolls sideways");
});

test("what fails with a rule or a question is said where it was tried", async () => {
  const many = Array.from({ length: 12 }, (_, i) => ({ ...rules.items[0]!, name: `rule${i}` }));
  says({ "GET /api/rules": { items: many }, "POST /api/rule-trials": trial, "DELETE /api/rules/rule0": [409, { detail: "Somebody changes it." }], "PUT /api/rules/rule11": [409, { detail: "Try later." }] });
  await visit("#administration/rules", screens.phone);
  await page.getByRole("button", { name: "Remove: rule0", exact: true }).click();
  await page.getByRole("button", { name: "Really remove: rule0", exact: true }).click();
  const refused = page.getByRole("alert").getByText("Somebody changes it.");
  await refused.waitFor();
  assert.ok(await seen(refused));
  await page.getByRole("button", { name: "Try a change of rule11" }).click();
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByRole("button", { name: "Change the rule rule11" }).click();
  const later = page.getByRole("alert").getByText("Try later.");
  await later.waitFor();
  assert.ok(await seen(later));
  for (let i = 0; i < 12; i++) site.open({ to: "bob" }, true);
  site.refuse = (path) => (path.endsWith("/cancel") ? [409, { detail: "It is settled." }] : undefined);
  await page.goto(`${site.url}/inbox?again#administration/questions`);
  await page.getByRole("button", { name: /^Withdraw: / }).last().click();
  await page.getByRole("button", { name: /^Really withdraw: / }).click();
  const settled = page.getByRole("alert").getByText("It is settled.");
  await settled.waitFor();
  assert.ok(await seen(settled));
});
