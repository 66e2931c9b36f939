// <parley-question> alone on a page with a strict policy.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { barriers, launch, openTab, picture, wholeIn, type Tab } from "../browser.js";
import { approval, callArguments, connect, form, small } from "../questions.js";
import type { Json } from "../record.js";
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
  server.answered = () => [200, { success: true }];
  tab = await openTab(browser);
  page = tab.page;
});
afterEach(async () => {
  await page.context().close();
  await server.close();
  assert.deepEqual(tab.problems, []);
});

// show puts a question on a page. The events that the card sends are kept in `window.events`.
async function show(question: Json, attributes = `endpoint="${server.url}/run/api/elicitation-responses" conversation="conv-1"`): Promise<void> {
  await page.goto(server.url + server.page("/card", `<main><h1>Card</h1><parley-question ${attributes}></parley-question></main>`));
  await page.evaluate(() => {
    const events: unknown[] = [];
    Object.assign(window, { events });
    for (const type of ["parley-answer", "parley-answered", "parley-refused", "parley-hint"]) {
      document.addEventListener(type, (event) => events.push([type, (event as CustomEvent).detail]));
    }
  });
  await give(question);
  await page.locator("parley-question .card").waitFor();
}
const give = (request: Json) => page.locator("parley-question").evaluate((card, r) => void Object.assign(card, { request: r }), request);
const events = () => page.evaluate(() => (window as unknown as { events: unknown[] }).events);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const outcome = () => page.locator("parley-question #outcome");
const problem = () => page.locator("parley-question .problem");
const focused = () => page.evaluate(() => {
  const inside = document.activeElement?.shadowRoot?.activeElement;
  return inside?.getAttribute("data-decision") ?? inside?.id;
});

test("a form of every kind is filled in by keyboard and mouse and sent with the right types", async () => {
  await show(form());
  await page.getByLabel("Name", { exact: false }).first().fill("Ada Lovelace");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Web site").fill("https://ada.example/");
  await page.getByLabel("Cost centre").fill("AB123");
  await page.getByLabel("Departure").fill("2026-07-01T09:30");
  await page.getByLabel("Amount").fill("99.5");
  await page.getByLabel("People").fill("3");
  await page.getByLabel("Send me the newsletter").uncheck();
  await page.getByRole("radiogroup", { name: "Do you accept the terms?" }).getByLabel("Yes").check();
  await page.getByRole("radiogroup", { name: "Size" }).getByLabel("l", { exact: true }).check();
  await page.getByLabel("Green").check();
  await page.getByLabel("Second").check();
  await page.getByLabel("Country").selectOption("fr");
  await page.getByLabel("meal").check();
  await page.getByLabel("bag").check();
  await page.getByLabel("Art", { exact: true }).check();
  await page.getByLabel("Books").uncheck();
  await page.getByLabel("Remarks").fill("Window seat,\nplease");
  await button("Send answer").click();
  await outcome().waitFor();
  assert.equal(await outcome().textContent(), "Answered.");
  assert.deepEqual(server.answers, [
    {
      conversationId: "conv-1",
      elicitationId: "q-form",
      action: "accept",
      content: {
        name: "Ada Lovelace", mail: "ada@example.com", site: "https://ada.example/", code: "AB123", day: "2026-03-01",
        moment: "2026-07-01T09:30:00+02:00", amount: 99.5, people: 3, newsletter: false, terms: true, size: "l", colour: "g", legacy: "2",
        country: "fr", extras: ["meal", "bag"], topics: ["a"], remarks: "Window seat,\nplease",
      },
    },
  ]);
});

test("what does not fit is said beside its field, and nothing is sent", async () => {
  await show(form());
  await page.getByLabel("Name", { exact: false }).first().fill("A");
  await page.getByLabel("Email").fill("nonsense");
  await page.getByLabel("Web site").fill("nonsense");
  await page.getByLabel("Cost centre").fill("nonsense"); // its pattern is the server's to judge
  await page.getByLabel("Amount").fill("0.1");
  await page.getByLabel("People").fill("2.5");
  await page.getByLabel("meal").check();
  await page.getByLabel("seat").check();
  await page.getByLabel("bag").check();
  await button("Send answer").click();
  const errors = page.locator("parley-question .error");
  await errors.first().waitFor();
  assert.deepEqual(await errors.allTextContents(), [
    "Error: Name must be at least 2 characters long.",
    "Error: Email must be an email address such as name@example.com.",
    "Error: Web site must be a full address such as https://example.com/page.",
    "Error: Amount must be at least 0.5.",
    "Error: People must be a whole number.",
    "Error: “Do you accept the terms?” is required.",
    "Error: Extras must have at most 2 choices.",
  ]);
  const name = page.locator("parley-question #field-0");
  assert.equal(await focused(), "field-0");
  assert.equal(await name.getAttribute("aria-invalid"), "true");
  assert.match((await name.getAttribute("aria-describedby"))!, /field-0-error/);
  assert.deepEqual(server.answers, []);
  await name.fill("Ada");
  assert.equal(await name.getAttribute("aria-invalid"), "false");
});

test("errors of the server stand beside their fields, and the entries stay", async () => {
  server.answered = () => [400, { error: "The answer does not fit.", fields: [{ field: "reason", message: "Reason must name a customer." }, { field: "amount[0]", message: "Amount is over your limit." }] }];
  await show(form(small));
  await page.getByLabel("Reason").fill("Lunch with nobody");
  await page.getByLabel("Amount").fill("70");
  await button("Send answer").click();
  await page.getByText("Reason must name a customer.").waitFor();
  await page.locator(".error", { hasText: "Amount is over your limit." }).waitFor();
  assert.equal(await problem().innerText(), "Please correct what is marked.");
  assert.equal(await focused(), "field-0");
  assert.equal(await page.getByLabel("Reason").inputValue(), "Lunch with nobody");
  server.answered = () => [200, { success: true }];
  await page.getByLabel("Reason").fill("Lunch with Ada");
  await button("Send answer").click();
  await outcome().waitFor();
});

test("each refusal of an answer gets a sentence, and the card can be used again where that makes sense", async () => {
  const cases: [number, Json, string][] = [
    [401, {}, "You are not signed in, or no longer. Sign in and answer again."],
    [403, {}, "This question is not yours to answer, or it does not exist any more."],
    [404, {}, "This question is not yours to answer, or it does not exist any more."],
    [500, {}, "The server could not take the answer. Try again."],
    [400, { error: "The conversation is missing." }, "The conversation is missing."],
    [400, { fields: [{ field: "", message: "The answer must be an object." }] }, "The answer must be an object."],
  ];
  await show(approval());
  for (const [status, body, sentence] of cases) {
    server.answered = () => [status, body];
    await button("Allow once").click();
    await problem().getByText(sentence).waitFor();
  }
  await page.context().setOffline(true);
  await button("Deny").click();
  await problem().getByText("The answer could not be sent. Check your connection and try again.").waitFor();
  await page.context().setOffline(false);
  server.answered = () => [409, { error: "It is settled." }];
  await button("Deny").click();
  await outcome().waitFor();
  assert.equal(await outcome().innerText(), "Answered elsewhere in the meantime.");
  await give(approval({ elicitationId: "q-2" }));
  server.answered = () => [410, { error: "It has expired." }];
  await button("Deny").click();
  await outcome().waitFor();
  assert.equal(await outcome().innerText(), "Expired. Nobody answered in time.");
});

test("an approval shows service, tool and every character of the arguments", async () => {
  const long = `{"a":18446744073709551615,"text":"${"word ".repeat(4000)}end","hidden":"x\u202e\u200by"}`;
  await show(approval({ context: { trigger: "tool_approval", service: "tracker", tool: "create_issue", arguments: long } }));
  const block = page.locator("parley-question .arguments");
  const shown = (await block.textContent())!;
  assert.ok(shown.includes("18446744073709551615"));
  assert.ok(shown.includes("x\\u202e\\u200by"));
  assert.equal(shown.replace(/\s/g, ""), long.replace("\u202e", "\\u202e").replace("\u200b", "\\u200b").replace(/\s/g, ""));
  assert.ok(await wholeIn(block));
  assert.ok(await page.getByText("tracker needs your approval").isVisible());
  assert.ok(await page.getByText("create_issue", { exact: true }).isVisible());
});

test("each decision is sent as an accepted form, also the refusal", async () => {
  for (const [name, decision, sentence] of [
    ["Allow once", "allow_once", "You allowed it once."],
    ["Always allow", "always_allow", "You allowed it from now on."],
    ["Deny", "deny", "You denied it."],
  ] as const) {
    await show(approval({ elicitationId: `q-${decision}` }));
    await button(name).click();
    await outcome().waitFor();
    assert.equal(await outcome().innerText(), sentence);
    assert.deepEqual(server.answers.at(-1), { conversationId: "conv-1", elicitationId: `q-${decision}`, action: "accept", content: { decision } });
  }
});

test("the buttons of an approval have the titles that the schema gives, and none has the focus", async () => {
  const titled = { type: "object", properties: { decision: { type: "string", oneOf: [{ const: "allow_once", title: "Yes, this once" }, { const: "deny", title: "No" }] } }, required: ["decision"] };
  await show(approval({ requestedSchema: titled }));
  assert.deepEqual(await page.locator("parley-question .buttons button").allInnerTexts(), ["Yes, this once", "No"]);
  await page.locator("parley-question").evaluate((card) => (card as HTMLElement).focus());
  assert.equal(await focused(), "title");
});

// What the server sends for a call to a service (permit.Gate).
const permission: Json = {
  message: "Allow this call?\n\nService: shop (\"The shop\")\nTool: order (\"Place an order\")\nArguments:\n{\n  \"item\": \"tea\",\n  \"count\": 2\n}",
  requestedSchema: {
    type: "object",
    properties: {
      decision: { type: "string", title: "Decision", oneOf: [{ const: "allow_once", title: "Allow once" }, { const: "always_allow", title: "Always allow this tool" }, { const: "deny", title: "Deny" }, { const: "asked_back", title: "Ask back" }] },
      scope: { type: "string", title: "Always allow what", oneOf: [{ const: "tool", title: "This tool, whatever the arguments" }, { const: "arguments", title: "This tool with exactly these arguments" }] },
      until: { type: "string", title: "For how long", oneOf: [{ const: "revoked", title: "Until I take it back" }, { const: "hour", title: "For an hour" }] },
      reason: { type: "string", title: "What the agent is told", description: "With a denial, or when you ask back.", maxLength: 1000 },
    },
    required: ["decision"],
  },
  context: { trigger: "tool_approval", service: "The shop", server: "shop", account: "ann", tool: "shop__order", toolCallId: "call-1", arguments: '{"count":2,"item":"tea"}' },
};

test("an approval says what is ours once, in our own name, and shows all of it before its buttons", async () => {
  await page.setViewportSize({ width: 390, height: 664 }); // what a browser leaves of a phone
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field${i}`, i]));
  await show(approval({ ...permission, message: `${permission["message"]}`.replace(/\{[^]*/, JSON.stringify(many, null, 2)) }));
  const text = (await page.locator("parley-question .card").innerText());
  assert.ok(!text.includes("says:"), text);
  assert.equal(text.split("field39").length, 2, text);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 664 });
    const box = page.locator("parley-question .whole");
    assert.ok(await wholeIn(box), `a part is hidden at ${width}`);
    const end = (await box.boundingBox())!;
    assert.ok(end.y + end.height <= (await button("Allow once").boundingBox())!.y);
  }
  await page.setViewportSize({ width: 390, height: 664 });
  await picture(page, "approval-phone");
  await page.setViewportSize({ width: 760, height: 800 });
});

test("an approval that is too long for a card is headed as one, and leads to its page", async () => {
  await show({
    type: "elicitation-request", elicitationId: "long", mode: "url", url: `${server.url}/answer/long`, message: "Allow this call? It has 24139 bytes.",
    context: { trigger: "tool_approval", service: "shop", serviceTitle: "Office shop", server: "shop", account: "ann", settledBy: "page" },
  });
  assert.equal(await page.locator("parley-question #title").innerText(), "Office shop needs your approval");
  assert.equal(await button("Open the page").count(), 1);
});

test("asking back is spoken of only where it is offered", async () => {
  const { properties } = permission["requestedSchema"] as { properties: Json };
  const oneOf = [{ const: "allow_once", title: "Allow once" }, { const: "deny", title: "Deny" }];
  const reason = { ...(properties["reason"] as Json), description: "With a denial." };
  await show(approval({ ...permission, requestedSchema: { type: "object", properties: { decision: { type: "string", oneOf }, reason }, required: ["decision"] } }));
  await page.getByText("Say why", { exact: true }).click();
  assert.doesNotMatch(await page.locator("parley-question .card").innerText(), /ask back/i);
});

test("what holds without a limit is chosen, and not sent", async () => {
  await show(approval(permission));
  await page.getByText("Limits for a permission that stays").click();
  await page.getByRole("radio", { name: "Until I take it back", checked: true }).waitFor();
  await button("Always allow this tool").click();
  await outcome().waitFor();
  assert.equal(await outcome().innerText(), "You chose: Always allow this tool.");
  assert.deepEqual((server.answers.at(-1) as { content?: unknown } | undefined)?.content, { decision: "always_allow" });
});

test("limits are not dropped silently, and the card says what was allowed", async () => {
  await show(approval(permission));
  await page.getByText("Limits for a permission that stays").click();
  await page.getByText("For an hour").click();
  await button("Allow once").click();
  assert.equal(await problem().innerText(), "You set limits for a permission that stays. Press “Always allow this tool” to use them, or take them back.");
  assert.deepEqual(server.answers, []);
  assert.deepEqual(await page.getByRole("radiogroup", { name: "For how long" }).getByRole("radio").count(), 2);
  const chosen = page.getByRole("radio", { name: "Until I take it back", checked: true });
  await button("Take the limits back").click();
  await chosen.waitFor();
  assert.equal(await button("Take the limits back").count(), 0);
  await page.getByText("For an hour").click();
  await page.getByText("Until I take it back").click();
  assert.equal(await chosen.count(), 1);
  assert.equal(await button("Take the limits back").count(), 0);
  await page.getByText("For an hour").click();
  await button("Always allow this tool").click();
  await outcome().waitFor();
  assert.equal(await outcome().innerText(), "You chose: Always allow this tool · For an hour.");
  assert.deepEqual((server.answers.at(-1) as { content?: unknown } | undefined)?.content, { decision: "always_allow", until: "hour" });
});

// The same call, of a tool whose input schema is known.
const changeable: Json = {
  ...permission,
  requestedSchema: {
    type: "object",
    properties: {
      decision: { type: "string", title: "Decision", oneOf: [{ const: "allow_once", title: "Allow once" }, { const: "always_allow", title: "Always allow this tool" }, { const: "changed", title: "Allow with changes" }, { const: "deny", title: "Deny" }, { const: "asked_back", title: "Ask back" }] },
      until: { type: "string", title: "For how long", oneOf: [{ const: "revoked", title: "Until I take it back" }, { const: "hour", title: "For an hour" }] },
      "args.count": { type: "integer", title: "count", minimum: 1, maximum: 9, default: 2 },
      "args.item": { type: "string", title: "item", default: "tea" },
      "args.kind": { type: "string", title: "kind", enum: ["green", "black"], default: "green" },
      "args.wrap": { type: "boolean", title: "wrap", default: false },
      reason: { type: "string", title: "What the agent is told", maxLength: 1000 },
    },
    required: ["decision"],
  },
};

test("a call is allowed with the arguments as they stand in the card, on a phone", async () => {
  await page.setViewportSize({ width: 390, height: 664 });
  await show(approval(changeable));
  assert.equal(await button("Allow with changes").isVisible(), false);
  await page.getByText("Change the arguments").click();
  await page.getByLabel("count").fill("5");
  server.answered = () => [400, { success: false, error: "no", fields: [{ field: "args.count", message: "You changed count." }] }];
  await button("Allow once").click();
  await page.getByText("You changed count.").waitFor();
  assert.deepEqual((server.answers.pop() as { content?: unknown } | undefined)?.content, { decision: "allow_once", "args.count": 5, "args.item": "tea", "args.kind": "green", "args.wrap": false });
  server.answered = () => [200, { success: true }];
  await page.getByLabel("count").fill("");
  await button("Allow with changes").click();
  await page.getByLabel("count").fill("10");
  await button("Allow with changes").click();
  assert.deepEqual(server.answers, []);
  await page.getByLabel("count").fill("5");
  await page.getByLabel("black").check();
  await page.getByLabel("wrap").check();
  assert.deepEqual(await barriers(page), []);
  await picture(page, "approval-changes-phone");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await button("Allow with changes").click();
  await outcome().waitFor();
  assert.equal(await outcome().innerText(), "You allowed it with changes.");
  assert.deepEqual((server.answers.at(-1) as { content?: unknown } | undefined)?.content, { decision: "changed", "args.count": 5, "args.item": "tea", "args.kind": "black", "args.wrap": true });
  await page.setViewportSize({ width: 760, height: 800 });
});

test("what was put back, or is denied, changes nothing", async () => {
  for (const [press, decision] of [["Allow once", "allow_once"], ["Always allow this tool", "always_allow"], ["Deny", "deny"]] as const) {
    await show(approval({ ...changeable, elicitationId: `put-back-${decision}` }));
    await page.getByText("Change the arguments").click();
    await page.getByLabel("count").fill("5");
    if (decision !== "deny") await page.getByLabel("count").fill("2");
    await button(press).click();
    await outcome().waitFor();
    const untouched = { "args.count": 2, "args.item": "tea", "args.kind": "green", "args.wrap": false };
    assert.deepEqual((server.answers.at(-1) as { content?: unknown } | undefined)?.content, { decision, ...(decision !== "deny" && untouched) });
  }
});

for (const [press, decision] of [["Deny", "deny"], ["Ask back", "asked_back"]] as const) {
  test(`what the agent is told goes with “${press}”`, async () => {
    await show(approval(permission));
    assert.equal(await button("Ask back").isVisible(), false);
    await page.getByText("Say why, or ask back").click();
    await page.getByLabel("What the agent is told").fill("Ask me after lunch");
    await button(press).click();
    await outcome().waitFor();
    assert.deepEqual((server.answers.at(-1) as { content?: unknown } | undefined)?.content, { decision, reason: "Ask me after lunch" });
  });
}

test("a second click while an answer is on its way sends nothing more", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/run/api/elicitation-responses", async (route) => {
    await held;
    await route.continue();
  });
  await show(approval());
  await button("Allow once").dblclick();
  await button("Deny").click({ force: true });
  release();
  await outcome().waitFor();
  assert.deepEqual(server.answers.map((a) => a.content), [{ decision: "allow_once" }]);
});

test("Connect opens a window in the moment of the click, and only the server's word closes the card", async () => {
  await show(connect(server.url));
  const [popup] = await Promise.all([page.waitForEvent("popup"), button("Connect").click()]);
  await popup.waitForLoadState();
  assert.equal(popup.url(), `${server.url}/auth/connect?elicitation_id=q-connect`);
  await page.getByText("Continue in the window that has opened.").waitFor();
  await Promise.all([popup.waitForEvent("close"), popup.locator("#leave").click()]);
  assert.equal(await page.locator("parley-question .open").count(), 1);
  const [again] = await Promise.all([page.waitForEvent("popup"), button("Open it again").click()]);
  await Promise.all([again.waitForEvent("close"), again.locator("#approve").click()]);
  await page.getByText("Done there. Waiting for the server to confirm…").waitFor();
  assert.deepEqual(await events(), [["parley-hint", { elicitationId: "q-connect" }]]);
  assert.deepEqual(server.answers, []);
  await give(connect(server.url, { outcome: { action: "accept", by: "alice", via: "page" } }));
  await outcome().getByText("Connected on the hosted page.").waitFor();
});

test("a message from another origin, or about another question, is not believed", async () => {
  await show(connect(server.url));
  await page.evaluate(async () => {
    const post = (origin: string, data: unknown) => window.dispatchEvent(new MessageEvent("message", { origin, data }));
    post("https://evil.example", { type: "parley:settled", elicitationId: "q-connect", action: "accept" });
    post(location.origin, { type: "parley:settled", elicitationId: "q-other", action: "accept" });
    post(location.origin, "parley:settled");
    post(location.origin, null);
    await (document.querySelector("parley-question") as unknown as { updateComplete: Promise<unknown> }).updateComplete;
  });
  assert.equal(await page.getByText("Done there.").count(), 0);
  assert.deepEqual(await events(), []);
});

test("if the browser blocks the window, there is a link to go there in this one", async () => {
  await page.addInitScript(() => void (window.open = () => null));
  await show(connect(server.url));
  await button("Connect").click();
  await page.getByText("Your browser kept the window from opening.").waitFor();
  await page.getByRole("link", { name: "Open it in this window" }).click();
  await page.waitForURL("**/auth/connect?elicitation_id=q-connect");
});

test("a page of an MCP server is opened without a way back to this one, and going there is the answer", async () => {
  const url = `${server.other}/auth/connect?elicitation_id=q-connect`;
  await show(connect(server.url, { url, context: { trigger: "mcp_elicitation", service: "shop" } }));
  const link = page.getByRole("link", { name: "Open the page" });
  assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
  const [popup] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  await popup.waitForLoadState();
  assert.equal(popup.url(), url);
  assert.equal(await popup.evaluate(() => opener), null);
  await outcome().waitFor();
  assert.deepEqual(server.answers, [{ conversationId: "conv-1", elicitationId: "q-connect", action: "accept" }]);
});

test("a page that settles its question itself is not answered by going there", async () => {
  const url = `${server.other}/auth/connect?elicitation_id=q-connect`;
  for (const context of [{ trigger: "credential_required" }, { trigger: "tool" }, { trigger: "mcp_elicitation", settledBy: "page" }]) {
    await show(connect(server.url, { url, context }));
    const [popup] = await Promise.all([page.context().waitForEvent("page"), page.locator("parley-question #go").click()]);
    await popup.close();
    await page.getByText("Continue in the tab that has opened.").waitFor();
  }
  assert.deepEqual(server.answers, []);
});

test("the whole address is shown, with its host in ASCII", async () => {
  await show(connect(server.url, { url: "https://accounts.bücher.example/authorize?a=b%20c" }));
  const address = page.locator("parley-question .address");
  assert.equal(await address.innerText(), "https://accounts.xn--bcher-kva.example/authorize?a=b%20c");
  assert.equal(await address.locator("strong").innerText(), "accounts.xn--bcher-kva.example");
});

test("an address that is not of the web is not offered", async () => {
  for (const url of ["javascript:alert(document.domain)", "data:text/html,<script>alert(1)</script>", "https://bank.example@evil.example/"]) {
    await show(connect(server.url, { url }));
    await page.getByText("is not safe to open").waitFor();
    assert.equal(await page.locator("parley-question a").count(), 0);
    assert.equal(await button("Connect").count(), 0);
  }
  await button("Dismiss").click();
  await outcome().getByText("Not connected: you dismissed it.").waitFor();
  assert.equal(server.answers[0]?.action, "decline");
});

test("Dismiss and Decline decline", async () => {
  await show(connect(server.url));
  await button("Dismiss").click();
  await outcome().waitFor();
  await show(form(small));
  await button("Decline").click();
  await outcome().waitFor();
  assert.equal(await outcome().innerText(), "Declined.");
  assert.deepEqual(server.answers.map((a) => [a.action, a.content]), [["decline", undefined], ["decline", undefined]]);
});

test("a question that is settled elsewhere closes, says where, and takes the focus along", async () => {
  await show(form(small));
  await page.getByLabel("Reason").fill("half");
  await give(form(small, { outcome: { action: "accept", by: "alice", via: "page" } }));
  await outcome().waitFor();
  assert.equal(await outcome().innerText(), "Answered on the hosted page.");
  assert.equal(await focused(), "outcome");
  assert.equal(await page.locator("parley-question [role=status]").textContent(), "Answered on the hosted page.");
  assert.equal(await page.locator("parley-question input").count(), 0);
});

test("the same question again keeps what was typed", async () => {
  await show(form(small));
  await page.getByLabel("Reason").fill("half");
  await give(form(small));
  await page.locator("parley-question").evaluate((card) => (card as unknown as { updateComplete: Promise<unknown> }).updateComplete);
  assert.equal(await page.getByLabel("Reason").inputValue(), "half");
});

test("the countdown goes down each second, speaks at few moments, and ends in expiry", async () => {
  await page.clock.install({ time: new Date("2026-05-01T11:59:00Z") });
  await page.clock.pauseAt(new Date("2026-05-01T12:00:00Z"));
  await show(form(small, { expiresAt: "2026-05-01T12:01:02Z" }));
  const timer = page.getByRole("timer");
  const status = page.locator("parley-question [role=status]");
  assert.equal(await timer.innerText(), "1:02 left");
  await page.clock.runFor(1000);
  assert.equal(await timer.innerText(), "1:01 left");
  assert.equal(await timer.getAttribute("aria-live"), "off");
  assert.equal(await status.textContent(), "");
  await page.clock.runFor(1000);
  assert.equal(await timer.innerText(), "1:00 left");
  assert.equal(await status.textContent(), "1 minute left to answer travel.");
  await page.clock.runFor(10_000);
  assert.equal(await timer.innerText(), "0:50 left");
  assert.equal(await status.textContent(), "1 minute left to answer travel.");
  await page.clock.runFor(20_000);
  assert.equal(await status.textContent(), "30 seconds left to answer travel.");
  await page.clock.runFor(30_000);
  assert.equal(await outcome().innerText(), "Expired. Nobody answered in time.");
  // An answer that the server took at the last moment is the truth.
  await give(form(small, { expiresAt: "2026-05-01T12:01:02Z", outcome: { action: "accept", by: "alice", via: "slack" } }));
  await outcome().getByText("Answered in Slack.").waitFor();
});

test("a question that is over by this machine's clock alone can still be answered", async () => {
  await show(approval({ expiresAt: "2020-01-01T00:00:00Z" }));
  assert.equal(await page.getByRole("timer").count(), 0);
  await button("Deny").click();
  await outcome().waitFor();
  assert.equal(server.answers.length, 1);
});

test("a host may send the answer itself", async () => {
  await show(form(small));
  await page.evaluate(() => document.addEventListener("parley-answer", (event) => event.preventDefault()));
  await page.getByLabel("Reason").fill("Lunch with Ada");
  await page.getByLabel("Amount").fill("70");
  await button("Send answer").click();
  await page.getByText("Sending…").waitFor();
  assert.deepEqual(await events(), [["parley-answer", { elicitationId: "q-form", action: "accept", content: { reason: "Lunch with Ada", amount: 70 } }]]);
  assert.deepEqual(server.answers, []);
  await page.locator("parley-question").evaluate((card) =>
    (card as unknown as { refuse: (p: string, f: object[]) => void }).refuse("Not taken.", [{ field: "amount", message: "Amount is over your limit." }]));
  await page.getByText("Not taken.").first().waitFor();
  await page.getByText("Amount is over your limit.").waitFor();
  await button("Send answer").click();
  await give(form(small, { outcome: { action: "accept", via: "chat" } }));
  await outcome().getByText("Answered.", { exact: true }).waitFor();
});

test("a form that this widget does not know leads to its hosted page", async () => {
  await show(form({ type: "object", properties: { place: { type: "object", properties: {} } } }));
  const link = page.getByRole("link", { name: "Answer it on its own page" });
  assert.equal(await link.getAttribute("href"), `${server.url}/answer/q-form`);
});

test("words of a service stay words", async () => {
  const evil = '<img src=x onerror="document.title=1"> **bold** </div><script>document.title=2</script>';
  await show(form({ type: "object", properties: { a: { type: "string", title: evil, description: evil, enum: [evil] } } }, { message: evil, context: { trigger: "tool", service: `${evil}\u202e`, account: evil } }));
  assert.equal(await page.title(), "Test");
  assert.equal(await page.locator("parley-question img, parley-question script").count(), 0);
  assert.ok((await page.locator("parley-question #title").innerText()).includes("\\u202e"));
});

test("all words can be other words", async () => {
  await page.goto(server.url + server.page("/card", "<main><h1>Karte</h1><parley-question lang=de></parley-question></main>"));
  await page.locator("parley-question").evaluate((card, request) => Object.assign(card, { request, strings: { formTitle: "{service} fragt", submit: "Absenden", decline: "Ablehnen", errorRequired: "{label} fehlt." } }), form(small));
  await button("Absenden").click();
  await page.getByText("Reason fehlt.").waitFor();
  await page.getByText("travel fragt").waitFor();
});

test("what is no question shows nothing", async () => {
  await show(approval());
  for (const request of [null, undefined, "x", {}, { elicitationId: "q", mode: "telepathy" }]) {
    await page.locator("parley-question").evaluate(async (card, r) => {
      Object.assign(card, { request: r });
      await (card as unknown as { updateComplete: Promise<unknown> }).updateComplete;
    }, request);
    assert.equal(await page.locator("parley-question .card").count(), 0);
  }
});

test("arguments of the example are complete", async () => {
  await show(approval());
  const shown = await page.locator("parley-question .arguments").textContent();
  // Outside of strings only white space was added.
  assert.equal(shown!.replace(/\n\s*|(?<=":) (?=["\d[{tfn])/g, ""), callArguments);
});
