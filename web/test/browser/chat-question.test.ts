// The questions in a <parley-chat>.

import assert from "node:assert/strict";
import { test } from "node:test";
import { button, card, composer, conversation, log, open, page, say, sees, server, turn, until } from "../chat.js";
import { picture, wholeIn } from "../browser.js";
import type { Json } from "../record.js";
import { approval, connect, form } from "../questions.js";

test("an answer to a question lets the agent go on, in the same message", async () => {
  let decided: unknown;
  server.agent = async (t) => {
    t.say("I need your approval.");
    const { content } = await t.ask(approval());
    decided = content;
    t.say("Created.").finish();
  };
  await open();
  await say("Create it");
  await button("Allow once").click();
  await sees("Created.");
  await card().getByText("You allowed it once.").first().waitFor();
  assert.deepEqual(decided, { decision: "allow_once" });
  assert.equal(server.answers[0]?.conversationId, await conversation());
  assert.equal(await log().locator(".assistant").count(), 1);
});

for (const [width, height] of [[390, 608], [1280, 900]] as const)
test(`an approval in a chat hides nothing of the call, at ${width} pixels`, async () => {
  await page.setViewportSize({ width, height });
  const message = `Allow this call?\n\nService: tracker\nTool: create_issue\nArguments:\n${JSON.stringify({ a: 1, b: 2, c: 3, d: 4, e: "5".repeat(200) }, null, 2)}`;
  server.agent = (t) => void t.ask(approval({ message, context: { trigger: "tool_approval", service: "tracker", serviceTitle: "The tracker of us all", server: "tracker", account: "alice", tool: "create_issue" } }));
  await open();
  await say("Create it");
  await button("Deny").waitFor();
  assert.ok(await wholeIn(card().locator(".whole")));
  const [call, allow] = [(await card().locator(".whole").boundingBox())!, (await button("Allow once").boundingBox())!];
  assert.ok(call.y + call.height <= allow.y);
});

test("the focus goes to the heading of a new question, and never away from somebody who types", async () => {
  server.agent = (t) => void t.ask(approval());
  await open();
  await say("Create it");
  await button("Deny").waitFor();
  const focused = () => page.evaluate(() => {
    let e = document.activeElement;
    while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
    return e?.id || e?.tagName;
  });
  await until(async () => (await focused()) === "title");
  await page.keyboard.press("Enter"); // meant for the composer, it decides nothing
  await page.keyboard.press("Space");
  assert.deepEqual(server.answers, []);
  await composer().focus();
  await composer().pressSequentially("Also th");
  void (await turn()).ask(approval({ elicitationId: "q-2" }));
  await until(async () => (await button("Deny").count()) === 2);
  assert.equal(await focused(), "TEXTAREA");
  const announcer = page.locator("parley-chat .announcer");
  assert.match((await announcer.textContent())!, /Question from tracker/);
  await button("Deny").nth(1).click();
  await until(async () => (await announcer.textContent()) === ""); // nobody finds a question there that is settled
});

test("a new message may be sent while a question waits, and not while text comes", async () => {
  server.agent = (t, said) => {
    if (said === "One") void t.ask(approval());
    else t.write("Still writing");
  };
  await open();
  await say("One");
  await button("Deny").waitFor();
  await say("Two");
  await sees("Still writing");
  server.settle("q-approval", "cancel", "chat");
  await card().getByText("Cancelled elsewhere.").first().waitFor();
  await composer().fill("Three");
  assert.equal(await button("Send").getAttribute("aria-disabled"), "true");
  await composer().press("Enter");
  assert.equal(server.seen.filter((r) => r.method === "POST").length, 2);
  assert.equal(await composer().inputValue(), "Three");
});

test("a question that is answered elsewhere closes here", async () => {
  server.agent = async (t) => {
    const { action } = await t.ask(connect(server.url));
    t.say(`It was ${action}.`).finish();
  };
  await open();
  await say("Begin");
  await button("Connect").waitFor();
  server.settle("q-connect", "accept", "page");
  await card().getByText("Connected on the hosted page.").first().waitFor();
  await sees("It was accept.");
});

test("an answer in one tab closes the question in the other", async () => {
  server.agent = async (t) => {
    await t.ask(approval());
    t.say("Done.").finish();
  };
  await open('conversation="shared"');
  await say("Begin");
  await button("Deny").waitFor();
  const other = await page.context().newPage();
  await other.goto(`${server.url}/chat`);
  await other.getByRole("button", { name: "Deny" }).click();
  await other.getByText("You denied it.").first().waitFor();
  await card().getByText("You denied it elsewhere.").first().waitFor();
  await sees("Done.");
});

test("the window of a connection that reports back closes the card through the stream", async () => {
  server.agent = async (t) => {
    await t.ask(connect(server.url));
    t.say("Connected, going on.").finish();
  };
  await open();
  await say("Begin");
  const [popup] = await Promise.all([page.waitForEvent("popup"), button("Connect").click()]);
  await popup.locator("#approve").click();
  await sees("Connected, going on.");
  assert.deepEqual(server.answers, []);
});

test("a suspended turn goes on after the answer, although its stream had ended", async () => {
  server.agent = (t) => {
    void t.ask(approval()).then(() => {
      t.done = false;
      t.say("Going on.").finish();
    });
    t.finish();
  };
  await open();
  await say("Begin");
  await button("Stop").waitFor({ state: "detached" });
  await button("Allow once").click();
  await sees("Going on.");
});

test("Stop closes the questions of what it ends", async () => {
  server.agent = (t) => {
    t.tool("call-1", "create_issue", {});
    void t.ask(approval());
  };
  server.halt = (id) => {
    const turn = server.turns(id).at(-1)!;
    turn.settle("q-approval", "cancel", "", undefined, { reason: "stopped" });
    turn.finish();
  };
  await open();
  await say("Create it");
  await button("Deny").waitFor();
  await button("Stop").click();
  await card().getByText("No longer asked.").first().waitFor();
  assert.equal(await button("Deny").count(), 0);
  assert.equal(await log().getByText("waits for you").count(), 0);
  assert.equal(await card().locator(".timer").count(), 0);
});

test("a card that is taller than the log is shown from its beginning", async () => {
  await page.setViewportSize({ width: 360, height: 560 });
  server.agent = (t) => {
    t.say("Line\n\n".repeat(30));
    void t.ask(approval());
  };
  await open();
  await say("Begin");
  await button("Deny").waitFor();
  const fromTop = () => card().evaluate((c) => c.getBoundingClientRect().top - c.closest(".log")!.getBoundingClientRect().top);
  await until(async () => Math.abs((await fromTop()) - 12) < 2);
  assert.equal(await button("Latest message").count(), 0);
});

test("a call that waits for others does not say that it waits for the person, near or far", async () => {
  const waits = { elicitationId: "q-wait", mode: "form", message: "Waiting for bob to allow this call.", expiresAt: new Date(Date.now() + 600_000).toISOString(), context: { trigger: "approvers", service: "bank", serviceTitle: "Acme Bank", server: "bank", account: "alice", tool: "transfer", toolCallId: "call-9" }, approvers: { need: 1, people: [{ name: "bob" }] } };
  server.agent = (t) => {
    t.say("One moment.\n\n".repeat(60));
    t.tool("call-9", "transfer", {});
    void t.ask(waits);
  };
  await open();
  await say("Send 900");
  await log().getByText("waits for others").waitFor();
  assert.equal(await page.getByText("waits for you").count(), 0);
  await log().evaluate((e) => (e.scrollTop = 100));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await button("A question waits for you").count(), 0);
});

for (const [width, height] of [[390, 700], [1200, 900]] as const)
for (const below of [0, 60, 120, 240])
test(`a form that is refused shows its first field whole, with its label and what is wrong, at ${width} pixels with ${below} of the card beyond the log`, async () => {
  await page.setViewportSize({ width, height });
  server.agent = (t) => {
    t.say("A word before it.\n\n".repeat(8));
    void t.ask(form(booking));
  };
  await open();
  await say("Book it");
  await button("Send answer").waitFor();
  const tall = await card().evaluate((c) => c.getBoundingClientRect().height - c.closest(".log")!.clientHeight);
  await page.setViewportSize({ width, height: Math.round(height + tall - below) });
  await button("Send answer").click();
  const name = card().getByRole("textbox", { name: "Name" });
  await until(() => name.evaluate((e) => (e.getRootNode() as ShadowRoot).activeElement === e));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // the log has followed its sizes
  await picture(page, `refused-${width}-${below}`);
  await until(async () => (await cutOff(".field:first-of-type :is(label, .error, input)")).length === 0); // on a busy machine the browser scrolls later
  // What is said of the form is at its end.
  const room = await card().evaluate((c) => c.closest(".log")!.clientHeight - (c.shadowRoot!.querySelector(".problem")!.getBoundingClientRect().bottom - c.shadowRoot!.querySelector(".field")!.getBoundingClientRect().top));
  if (room > 24) assert.deepEqual(await cutOff(".problem"), []);
});

const booking: Json = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", description: "As it stands on the invoice", minLength: 2, maxLength: 40 },
    mail: { type: "string", title: "Email", format: "email" },
    size: { type: "string", title: "Size", enum: ["s", "m", "l"] },
    people: { type: "integer", title: "People" },
  },
  required: ["name", "mail", "people"],
};

// cutOff are those parts of the card of which something is outside of the log.
const cutOff = (css: string): Promise<string[]> =>
  card().evaluate((c, css) => {
    const frame = c.closest(".log")!.getBoundingClientRect();
    return [...c.shadowRoot!.querySelectorAll(css)].filter((e) => {
      const box = e.getBoundingClientRect();
      return box.top < frame.top - 1 || box.bottom > frame.bottom + 1; // the browser scrolls by whole pixels
    }).map((e) => `${e.tagName} ${e.textContent}`);
  }, css);
