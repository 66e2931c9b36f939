// The app that hosts of MCP Apps draw, in a frame as they give it: of another origin, without forms, with a strict policy.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Browser } from "playwright-core";
import { Host, Unreachable } from "../app-host.js";
import { barriers, launch, picture } from "../browser.js";
import { callArguments, everyKind, small } from "../questions.js";
import type { Json } from "../record.js";
import { until } from "../until.js";

let browser: Browser;
let host: Host;

before(async () => {
  browser = await launch();
});
after(() => browser.close());
beforeEach(() => {
  host = new Host();
});
afterEach(async () => {
  await host.page.context().close();
  assert.deepEqual(host.tab.problems, []);
});

const soon = (seconds = 600) => ({ now: "2026-03-01T12:00:00Z", expires: new Date(Date.parse("2026-03-01T12:00:00Z") + seconds * 1000).toISOString() });
const form = (more: Json = {}): Json => ({ elicitId: "q-1", state: "pending", nonce: "n-1", title: "Example shop asks", message: "How shall we send it?", schema: small, answer: "here", page: "https://parley.example/answer/q-1", ...soon(), ...more });
const settled = (words: string, more: Json = {}): Json => ({ elicitId: "q-1", state: "settled", outcome: "accept", words, ...more });
const approval = (more: Json = {}): Json => ({ ...form(), nonce: undefined, schema: undefined, title: "tracker needs your approval", message: "Create an issue?", answer: "page", approval: { tool: "create_issue", server: "tracker", arguments: callArguments }, ...more });

// asked shows a question to somebody, by the order of events that the specification gives.
async function asked(ask: Json, options = {}): Promise<void> {
  host.open = () => ask;
  await host.show(browser, options);
  await host.notify("tool-input", { arguments: { elicitId: ask["elicitId"] } });
  await host.card.locator(".card").waitFor();
}
const outcome = () => host.card.locator("#outcome");
const wrong = (text: string) => host.card.locator(".error", { hasText: text }).waitFor();
const sees = (text: string) => host.card.getByText(text, { exact: true }).first().waitFor();
// look is what happens when somebody comes back to the tab.
const look = () => host.frame().evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));
const focused = () => host.frame().evaluate(() => document.activeElement?.id);
const fill = async () => {
  await host.card.getByLabel("Reason").fill("Lunch with Ada");
  await host.card.getByLabel("Amount").fill("70");
};

test("the question is asked for once the host has named it, in whichever way it does", async (t) => {
  const named: { [order: string]: () => Promise<void> } = {
    "during the call": () => host.notify("tool-input", { arguments: { elicitId: "q-1" } }),
    "after the result": () => host.notify("tool-result", { content: [], _meta: { "parley/open": "q-1" } }),
    never: async () => {},
  };
  for (const [order, name] of Object.entries(named)) {
    await t.test(order, async () => {
      host = new Host();
      host.open = () => form();
      await host.show(browser);
      await name();
      await host.button("Send answer").waitFor();
      assert.deepEqual(host.calls("parley_open")[0], order === "never" ? {} : { elicitId: "q-1" });
      const methods = host.said.map((m) => m.method).filter((m) => m !== "ui/notifications/size-changed");
      assert.deepEqual(methods.slice(0, 3), ["ui/initialize", "ui/notifications/initialized", "tools/call"]);
      assert.deepEqual(host.said[0]!.params, { protocolVersion: "2026-01-26", appInfo: { name: "parley-ask", version: "1" }, appCapabilities: { elicitation: {} } });
      if (order !== "never") await host.page.context().close();
    });
  }
});

test("what the host names late is shown when nothing else is", async () => {
  host.open = ({ elicitId }) => (elicitId ? form() : { state: "none", words: "There is nothing to answer." });
  await host.show(browser);
  await sees("There is nothing to answer.");
  await host.notify("tool-input", { arguments: { elicitId: "q-1" } });
  await host.button("Send answer").waitFor();
});

test("a form of every kind is answered with the right types, and the end is said in the server's words", async () => {
  host.answer = () => settled("Answered. The shop goes on.");
  await asked(form({ schema: everyKind }));
  const { card } = host;
  await card.getByLabel("Name", { exact: false }).first().fill("Ada Lovelace");
  await card.getByLabel("Email").fill("ada@example.com");
  for (const [departure, offset] of [["2026-01-01T09:30", "+01:00"], ["2026-07-01T09:30", "+02:00"]] as const) {
    await card.getByLabel("Departure").fill(departure);
    await card.getByText(`Your local time, UTC${offset}`).waitFor();
  }
  await card.getByLabel("Amount").fill("99.5");
  await card.getByLabel("Send me the newsletter").uncheck();
  await card.getByRole("radiogroup", { name: "Do you accept the terms?" }).getByLabel("Yes").check();
  await card.getByLabel("Country").selectOption("fr");
  await card.getByLabel("meal").check();
  await card.getByLabel("bag").check();
  await card.getByLabel("Remarks").fill("Window seat,\nplease");
  await host.press("Send answer");
  await outcome().waitFor();
  assert.equal(await outcome().textContent(), "Answered. The shop goes on.");
  assert.equal(await host.card.locator("#title").textContent(), "Example shop asks");
  assert.deepEqual(host.calls("parley_answer"), [
    {
      elicitId: "q-1",
      nonce: "n-1",
      action: "accept",
      content: {
        name: "Ada Lovelace", mail: "ada@example.com", day: "2026-03-01", moment: "2026-07-01T09:30:00+02:00", amount: 99.5, newsletter: false,
        terms: true, size: "m", country: "fr", extras: ["meal", "bag"], topics: ["b"], remarks: "Window seat,\nplease",
      },
    },
  ]);
  const sizes = host.said.filter((m) => m.method === "ui/notifications/size-changed").map((m) => m.params!["height"] as number);
  assert.ok(sizes.length > 1 && sizes.at(-1)! < Math.max(...sizes), String(sizes));
});

test("what does not fit is marked before it is sent, and what the server finds wrong after it", async () => {
  host.answer = () => form({ nonce: "n-2", violations: [{ field: "reason", message: "Reason must name a customer." }, { field: "", message: "It is too late for that." }] });
  await asked(form());
  await host.card.getByLabel("Amount").fill("0");
  await host.press("Send answer");
  await wrong("Reason is required.");
  await wrong("Amount must be at least 1.");
  assert.equal(await focused(), "field-0");
  assert.equal(await host.card.locator("#field-0").getAttribute("aria-invalid"), "true");
  assert.match((await host.card.locator("#field-0").getAttribute("aria-describedby"))!, /field-0-error/);
  assert.deepEqual(host.calls("parley_answer"), []);

  await host.card.locator("#field-0").pressSequentially("Lunch with nobody");
  assert.equal(await host.card.locator("#field-0").getAttribute("aria-invalid"), "false");
  assert.equal(await host.card.locator("#field-0-error").count(), 0);
  await host.card.getByLabel("Amount").fill("70");
  await host.press("Send answer");
  await wrong("Reason must name a customer.");
  await host.card.locator(".problem", { hasText: "It is too late for that." }).waitFor();
  assert.equal(await focused(), "field-0");
  assert.equal(await host.card.getByLabel("Reason").inputValue(), "Lunch with nobody");

  host.answer = () => settled("Answered.");
  await host.card.getByLabel("Reason").fill("Lunch with Ada");
  await host.armed("Send answer").waitFor();
  await host.card.getByLabel("Reason").press("Enter");
  await outcome().waitFor();
  assert.equal(await focused(), "outcome");
  assert.equal(host.calls("parley_answer")[1]!["nonce"], "n-2");
});

test("a field may have any name", async () => {
  const names = ["__proto__", "constructor", "toString"];
  const schema = JSON.parse(`{"type":"object","properties":{${names.map((n) => `"${n}":{"type":"string"}`)}},"required":["__proto__"]}`);
  await asked(form({ schema }));
  host.answer = () => settled("Answered.");
  assert.equal(await host.card.locator(".error").count(), 0);
  await host.press("Send answer");
  await wrong("__proto__ is required.");
  for (const name of names) await host.card.getByLabel(name).fill(`the ${name}`);
  await host.press("Send answer");
  await sees("Answered.");
  assert.equal(JSON.stringify(host.calls("parley_answer")[0]!["content"]), '{"__proto__":"the __proto__","constructor":"the constructor","toString":"the toString"}');
});

test("what other frames of the page post is not heard", async () => {
  host.hello = { hostCapabilities: { elicitation: {} }, hostContext: {} };
  host.open = ({ elicitId }) => form({ elicitId: elicitId ?? "q-open" });
  await host.show(browser);
  await host.page.evaluate(async () => {
    const other = document.createElement("iframe");
    other.src = "http://other.test/";
    const loaded = new Promise((resolve) => other.addEventListener("load", resolve));
    document.body.append(other);
    await loaded;
  });
  const other = host.page.frames().find((f) => f.url() === "http://other.test/")!;
  await other.evaluate(() => {
    const post = (message: object) => (parent as Window).frames[0]!.postMessage({ jsonrpc: "2.0", ...message }, "*");
    post({ method: "ui/notifications/tool-input", params: { arguments: { elicitId: "q-evil" } } });
    post({ id: 7, method: "elicitation/create", params: { message: "Evil", requestedSchema: { type: "object", properties: {} } } });
    for (let id = 0; id < 9; id++) post({ id, result: { _meta: { "parley/ask": { elicitId: "q-evil", state: "settled", words: "Evil" } } } });
  });
  await host.notify("tool-input", { arguments: { elicitId: "q-1" } });
  await host.button("Send answer").waitFor();
  assert.deepEqual(host.calls("parley_open"), [{ elicitId: "q-1" }]);
  assert.equal(await host.card.getByText("Evil").count(), 0);
  assert.deepEqual(host.replies(7), []);
});

test("the buttons of a card that is covered do nothing until it has been seen for a while", async () => {
  host.answer = () => settled("Declined.", { outcome: "decline" });
  await asked(form());
  assert.equal(await host.button("Decline").getAttribute("aria-disabled"), "true");
  await host.button("Decline").dispatchEvent("click"); // as it appears under the pointer
  await host.armed("Decline").waitFor();
  const cover = (on: boolean) =>
    host.page.evaluate((on) => {
      document.getElementById("cover")?.remove();
      if (!on) return;
      const cover = document.createElement("div");
      cover.id = "cover";
      cover.style.cssText = "position:fixed;inset:40px 0 auto;height:60px;background:Canvas;pointer-events:none";
      document.body.append(cover);
    }, on);
  await cover(true); // over the words, not over the buttons
  await host.card.locator('#decline[aria-disabled="true"]').waitFor();
  await host.button("Decline").dispatchEvent("click");
  await host.button("Send answer").dispatchEvent("click");
  await host.card.locator(".covered:not([hidden])").waitFor();
  assert.deepEqual(host.calls("parley_answer"), []);
  await cover(false);
  await host.press("Decline");
  await outcome().waitFor();
  assert.deepEqual(host.calls("parley_answer"), [{ elicitId: "q-1", nonce: "n-1", action: "decline" }]);
});

test("a card that is hardly there is not answered", async () => {
  await asked(form());
  await host.armed("Decline").waitFor();
  await host.page.evaluate(() => void (document.getElementById("app")!.style.opacity = "0.01"));
  await host.card.locator('#decline[aria-disabled="true"]').waitFor();
});

test("an approval shows the whole call, leads to the page, and follows what happens there", async () => {
  await asked(approval());
  const { card } = host;
  await sees("tracker needs your approval");
  await sees("Create an issue?");
  assert.match(await card.locator("pre.arguments").innerText(), /"size": 18446744073709551615/);
  assert.deepEqual(await card.locator("dd code").allInnerTexts(), ["tracker", "create_issue"]);
  assert.deepEqual(await card.getByRole("button").allInnerTexts(), ["Answer it on its own page"]);
  await host.button("Answer it on its own page").click();
  await sees("Continue in the tab that has opened. This card closes when it is done.");
  assert.deepEqual(host.said.find((m) => m.method === "ui/open-link")!.params, { url: "https://parley.example/answer/q-1" });
  const before = host.calls("parley_open").length;
  await until(() => host.calls("parley_open").length > before + 1);
  host.open = () => settled("You allowed it once on the hosted page.");
  await sees("You allowed it once on the hosted page.");
  assert.deepEqual(host.calls("parley_open").at(-1), { elicitId: "q-1" });
  assert.deepEqual(host.calls("parley_answer"), []);
});

test("arguments that are in the server's words are shown as they stand there, once", async () => {
  await asked(approval({ message: `tracker wants to call create_issue.\nArguments:\n${callArguments}`, approval: { tool: "create_issue", server: "tracker", arguments: JSON.parse(callArguments) as Json } }));
  assert.match(await host.card.locator(".words.whole").innerText(), /"size":18446744073709551615/);
  assert.equal(await host.card.locator("pre").count(), 0);
  assert.deepEqual(await host.card.locator("dd code").allInnerTexts(), ["tracker", "create_issue"]);
});

test("a page that the host does not open can be read", async () => {
  host.link = () => ({ result: { isError: true } });
  await asked(approval());
  await host.button("Answer it on its own page").click();
  await sees("The page could not be opened from here. Its address is https://parley.example/answer/q-1");
});

test("an approval that may be decided here is allowed once or denied, and nothing lasts", async () => {
  const schema = { type: "object", properties: { decision: { type: "string", enum: ["allow_once", "always_allow", "deny"] } }, required: ["decision"] };
  host.answer = () => settled("You denied it.");
  await asked(approval({ answer: "here", nonce: "n-1", schema }));
  assert.deepEqual(await host.card.getByRole("button").allInnerTexts(), ["Allow once", "Deny", "Cancel"]);
  await host.press("Deny");
  await sees("You denied it.");
  assert.deepEqual(host.calls("parley_answer"), [{ elicitId: "q-1", nonce: "n-1", action: "accept", content: { decision: "deny" } }]);
});

test("several questions are asked one after the other", async () => {
  host.answer = ({ elicitId }) =>
    elicitId === "q-1" ? settled("Answered.", { next: form({ elicitId: "q-2", nonce: "n-2", title: "Example bank asks", message: "From which account?" }) }) : settled("Cancelled.", { elicitId: "q-2", outcome: "cancel" });
  await asked(form());
  await fill();
  await host.press("Send answer");
  await sees("From which account?");
  assert.equal(await host.card.getByLabel("Reason").inputValue(), "");
  assert.equal(await focused(), "title");
  assert.equal(await host.button("Cancel").getAttribute("aria-disabled"), "true");
  await host.press("Cancel");
  await sees("Cancelled.");
  assert.deepEqual(host.calls("parley_answer").map((a) => [a["elicitId"], a["nonce"], a["action"]]), [["q-1", "n-1", "accept"], ["q-2", "n-2", "cancel"]]);
});

test("when the time is over the server is asked how it ended", async () => {
  await asked(form(soon(2)));
  host.open = () => settled("Expired. Nobody answered in time.", { outcome: "expire" });
  assert.match(await host.card.locator(".timer").innerText(), /0:0\d left/);
  await sees("Expired. Nobody answered in time.");
});

test("a form that is filled in loses nothing by being looked at again", async () => {
  let nonce = 1;
  host.open = () => form({ nonce: `n-${++nonce}` });
  await host.show(browser);
  await host.notify("tool-input", { arguments: { elicitId: "q-1" } });
  await host.card.getByLabel("Reason").fill("Half a sent");
  await look();
  await until(() => host.calls("parley_open").length > 1);
  await host.card.getByLabel("Reason").pressSequentially("ence");
  assert.equal(await host.card.getByLabel("Reason").inputValue(), "Half a sentence");
  await host.card.getByLabel("Amount").fill("70");
  // The answer waits for a look that is under way: it may bring another nonce.
  let release = () => {};
  host.open = () => new Promise((resolve) => (release = () => resolve(form({ nonce: "n-last" }))));
  await host.armed("Send answer").waitFor();
  const before = host.calls("parley_open").length;
  await look();
  await until(() => host.calls("parley_open").length > before);
  await host.press("Send answer");
  await host.button("Sending…").waitFor();
  release();
  await until(() => host.calls("parley_answer").length === 1);
  assert.equal(host.calls("parley_answer")[0]!["nonce"], "n-last");
});

test("an answer that is refused or lost is said, and can be sent again", async () => {
  host.answer = () => {
    throw new Unreachable();
  };
  await asked(form());
  await fill();
  await host.press("Send answer");
  await sees("The answer could not be sent. Check your connection and try again.");
  host.open = () => form({ nonce: "n-2" });
  const before = host.calls("parley_open").length;
  await until(() => host.calls("parley_open").length > before);
  host.answer = () => form({ nonce: "n-3", problem: "This question has changed. Look at it again." });
  await host.press("Send answer");
  await sees("This question has changed. Look at it again.");
  host.answer = () => {
    throw new Error("You may not answer this.");
  };
  await host.press("Send answer");
  await sees("You may not answer this.");
  host.open = () => settled("Answered elsewhere.");
  await look();
  await sees("Answered elsewhere.");
});

test("a question that cannot be loaded is asked for again", async () => {
  host.open = () => {
    throw new Unreachable();
  };
  await host.show(browser);
  await host.notify("tool-input", { arguments: { elicitId: "q-1" } });
  await sees("The question could not be loaded.");
  host.open = () => form();
  await host.button("Try again").click();
  await host.button("Send answer").waitFor();
});

test("a question of a kind that cannot be shown leads to its page", async () => {
  await asked(form({ schema: { type: "object", properties: { where: { type: "object" } } } }));
  await sees("This question cannot be shown here.");
  await host.button("Open the page").click();
  await until(() => host.said.some((m) => m.method === "ui/open-link"));
});

const elicitation = (more: Json = {}): Json => ({ message: "How shall we send it?", requestedSchema: small, _meta: { ui: { resourceUri: "ui://parley/ask.html" } }, ...more });

test("what a host asks by the draft is answered by the same card, without a tool", async () => {
  host.hello = { hostCapabilities: { elicitation: {} }, hostContext: {} };
  await host.show(browser);
  await until(() => host.said.some((m) => m.method === "ui/notifications/initialized"));
  await host.tell({ id: "e-1", method: "elicitation/create", params: elicitation() });
  await sees("How shall we send it?");
  assert.equal(await host.card.locator(".timer").isVisible(), false);
  await host.press("Send answer");
  await wrong("Reason is required.");
  await fill();
  await host.press("Send answer");
  await sees("Answered.");
  assert.deepEqual(host.replies("e-1").map((r) => r.result), [{ action: "accept", content: { reason: "Lunch with Ada", amount: 70 } }]);
  assert.deepEqual(host.said.filter((m) => m.method === "tools/call"), []);
});

test("what the draft does not have is refused, and what is taken back is cancelled", async () => {
  host.hello = { hostCapabilities: { elicitation: {} }, hostContext: {} };
  await host.show(browser);
  await until(() => host.said.some((m) => m.method === "ui/notifications/initialized"));
  await host.tell({ id: "e-url", method: "elicitation/create", params: elicitation({ mode: "url", url: "https://evil.example/" }) });
  await until(() => host.replies("e-url")[0]?.error !== undefined);
  await host.tell({ id: "e-what", method: "sampling/createMessage", params: {} });
  await until(() => host.replies("e-what")[0]?.error !== undefined);
  await host.tell({ id: "e-2", method: "elicitation/create", params: elicitation() });
  await host.button("Decline").waitFor();
  await host.tell({ method: "notifications/cancelled", params: { requestId: "e-2" } });
  await sees("No longer asked.");
  await host.tell({ id: "p", method: "ping", params: {} });
  await host.tell({ id: "t", method: "ui/resource-teardown", params: {} });
  await until(() => host.replies("t").length === 1);
  assert.deepEqual([host.replies("p")[0]!.result, host.replies("t")[0]!.result], [{}, {}]);
});

test("whatever somebody writes is text", async () => {
  const evil = '<img src=x onerror="parent.postMessage(1)">\u202eabc';
  await asked(approval({ title: evil, message: evil, approval: { tool: evil, server: evil, arguments: { [evil]: evil } } }));
  assert.equal(await host.card.locator("img").count(), 0);
  assert.equal(await host.card.locator("#title").innerText(), evil.replace("\u202e", "\\u202e"));
  host.open = () => ({ state: "none", words: evil });
  await host.card.getByText("<img").first().waitFor();
});

// kept is what keeps people out of the app. The first heading is the host's.
const kept = async () => (await barriers(host.frame())).filter((b) => !b.startsWith("page-has-heading-one"));

test("it looks like its host, and keeps nobody out", async () => {
  const dark = { theme: "dark", styles: { variables: { "--color-background-primary": "#101418", "--color-text-primary": "#f0f4f8", "--font-sans": "Georgia, serif" } } };
  host.hello = { hostCapabilities: {}, hostContext: { theme: "light" } };
  await asked(form({ schema: everyKind }), { colorScheme: "dark", bypassCSP: true });
  const style = (name: "color" | "fontFamily" | "colorScheme") => host.card.evaluate((e, name) => getComputedStyle(e)[name], name);
  assert.equal(await style("colorScheme"), "light");
  await host.button("Send answer").scrollIntoViewIfNeeded();
  await host.armed("Send answer").waitFor();
  assert.deepEqual(await kept(), []);
  await host.notify("host-context-changed", dark);
  await until(async () => (await style("color")) === "rgb(240, 244, 248)");
  assert.equal(await style("colorScheme"), "dark");
  assert.equal(await style("fontFamily"), "Georgia, serif");
  await host.press("Send answer");
  await wrong("Name is required.");
  assert.deepEqual(await kept(), []);
});

// Pictures are taken of what is on the screen whole: a frame of another origin is drawn no further.
test("it follows the browser where its host says nothing", async (t) => {
  const delivery = { type: "string", title: "Delivery", oneOf: [{ const: "post", title: "By post" }, { const: "shop", title: "I fetch it" }] };
  const shop = form({ schema: { type: "object", properties: { delivery, until: { type: "string", title: "Not after", format: "date", description: "Leave it empty if any day will do" } }, required: ["delivery"] } });
  for (const [name, colorScheme, ask] of [["app-form", "light", shop], ["app-form-dark", "dark", shop], ["app-dark", "dark", approval()]] as const) {
    await t.test(name, async () => {
      await host.tab?.page.context().close();
      host = new Host();
      await asked(ask, { colorScheme, bypassCSP: true, viewport: { width: 560, height: ask === shop ? 450 : 890 } });
      if (ask === shop) await host.armed("Send answer").waitFor();
      await picture(host.page, name);
      assert.deepEqual(await kept(), []);
    });
  }
});

test("the app is one small page that asks nobody but its host", async () => {
  await asked(form());
  const page = await readFile(new URL("../ask.html", import.meta.url));
  assert.ok(page.length < 40_000, `${page.length} bytes`);
  for (const never of [/\bfetch\(/, /XMLHttpRequest/, /WebSocket/, /(local|session)Storage/, /\.open\(["'`]/, /type=.?password/, /always_allow|Always allow/, /<link/, /src=/, /\beval\(/]) assert.doesNotMatch(page.toString(), never);
});
