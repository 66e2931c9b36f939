// The stream of a <parley-chat>: what is lost, ended or broken, and found again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { button, card, conversation, log, open, page, say, sees, server, turn, until } from "../chat.js";
import { approval, form, small } from "../questions.js";

test("after a reload with two turns that wait, each answer appears", async () => {
  server.agent = async (t, said) => {
    const { content } = await t.ask(approval({ elicitationId: `q-${said}` }));
    t.say(`${said}: ${content?.["decision"]}`).finish();
  };
  await open();
  await say("First");
  await card().first().waitFor();
  await say("Second");
  await card().nth(1).waitFor();
  await page.reload();
  await card().nth(1).waitFor();
  await card().first().getByRole("button", { name: "Allow once", exact: true }).click();
  await sees("First: allow_once");
  await card().nth(1).getByRole("button", { name: "Allow once", exact: true }).click();
  await sees("Second: allow_once");
  await button("Stop").waitFor({ state: "detached" });
});

test("a reload in the middle finds everything again and goes on", async () => {
  server.agent = async (t) => {
    t.say("First.");
    const call = t.tool("call-1", "create_issue", { title: "x" });
    const { action } = await t.ask(form(small, { context: { trigger: "tool", service: "travel", toolCallId: "call-1" } }));
    call.done({ id: 8 });
    t.say(`It was ${action}.`).finish();
  };
  await open();
  await say("Begin");
  await page.getByLabel("Reason").waitFor();
  const before = await conversation();
  await page.reload();
  await page.getByLabel("Reason").waitFor();
  assert.equal(await conversation(), before);
  await sees("Begin");
  await sees("waits for you");
  assert.equal(await card().count(), 1);
  await page.getByLabel("Reason").fill("Lunch with Ada");
  await page.getByLabel("Amount").fill("70");
  await card().getByRole("button", { name: "Send answer" }).click();
  await sees("It was accept.");
  await sees("done");
  await page.reload();
  await sees("It was accept.");
  await sees("First.");
  await card().getByText("Answered.", { exact: true }).first().waitFor();
  assert.equal(await button("Stop").count(), 0);
  assert.equal(await log().locator(".message").count(), 2);
});

test("after a dropped connection the stream is found again, and what was typed into a form stays", async () => {
  server.agent = async (t) => {
    t.say("A question:");
    await t.ask(form(small));
    t.say("Thank you.").finish();
  };
  await open();
  await say("Begin");
  await page.getByLabel("Reason").fill("Lunch with Ada");
  await page.getByLabel("Amount").fill("7");
  server.drop();
  await page.getByText("The connection was lost. Trying again…").waitFor();
  await until(() => server.open === 1);
  await page.getByText("The connection was lost. Trying again…").waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Reason").inputValue(), "Lunch with Ada");
  for (let i = 0; i < 3; i++) {
    await until(() => server.open === 1);
    server.drop();
    await button("Try now").click();
  }
  await until(() => server.open === 1);
  assert.equal(await page.getByLabel("Reason").inputValue(), "Lunch with Ada");
  assert.deepEqual([await card().count(), await log().locator(".assistant").count(), await log().getByText("A question:").count()], [1, 1, 1]);
  await page.getByLabel("Amount").press("End");
  await page.getByLabel("Amount").pressSequentially("0");
  await card().getByRole("button", { name: "Send answer" }).click();
  await sees("Thank you.");
  assert.deepEqual(server.answers[0]?.content, { reason: "Lunch with Ada", amount: 70 });
});

test("a turn that ended while the connection was lost is shown to its end", async () => {
  server.agent = (t) => void t.write("Half");
  await open();
  await say("Begin");
  await sees("Half");
  server.refuse = (r) => (r.path.endsWith("/stream") ? "hang up" : undefined);
  server.drop();
  await page.getByText("The connection was lost. Trying again…").waitFor();
  (await turn()).say("The rest.").finish();
  server.refuse = () => undefined;
  await button("Try now").click({ timeout: 2000 }).catch(() => undefined); // unless it has tried by itself meanwhile
  await sees("The rest.");
  await button("Stop").waitFor({ state: "detached" });
});

test("unknown chunks, damaged lines and comments change nothing", async () => {
  server.agent = (t) => {
    t.raw(": keep-alive\n\n").raw("data: {broken\n\n").raw("event: future\nid: 7\nretry: 1\ndata: 17\n\n");
    t.send({ type: "from-the-future", anything: [1, 2] }, { type: "data-future", id: "x", data: { type: "y" } }, { type: "source-url", sourceId: "s", url: "https://x.example" });
    t.say("Still here.");
    t.send({ type: "reasoning-start", id: "r" }, { type: "reasoning-delta", id: "r", delta: "hm" }, { type: "message-metadata", messageMetadata: {} });
    t.raw("data: \n\n").say("And here.").finish();
  };
  await open();
  await say("Begin");
  await sees("And here.");
  await sees("Still here.");
  await button("Stop").waitFor({ state: "detached" });
});

test("a failure of the server is said with its words, and can be tried again", async () => {
  let times = 0;
  server.agent = (t) => {
    if (++times === 1) t.send({ type: "error", errorText: "The model is not reachable. Try again later." }).finish();
    else t.say("Now it works.").finish();
  };
  await open();
  await say("Begin");
  await page.getByRole("alert").getByText("The model is not reachable. Try again later.").waitFor();
  await button("Try again").click();
  await sees("Now it works.");
  assert.equal(await button("Try again").count(), 0);
});

test("a message that cannot be sent says so, and can be sent again", async () => {
  await open();
  for (const [status, sentence] of [[401, "You are not signed in, or no longer. Sign in and try again."], [403, "Not for you."], [500, "Something went wrong at the server. Try again."]] as const) {
    server.refuse = (r) => (r.method === "POST" ? [status, status === 403 ? { error: "Not for you." } : {}] : undefined);
    if (status === 401) await say("Begin");
    else await button("Try again").click();
    await page.getByRole("alert").getByText(sentence).waitFor();
    await sees("Not sent");
  }
  server.refuse = (r) => (r.method === "POST" ? "hang up" : undefined);
  await button("Try again").click();
  await page.getByRole("alert").getByText("The server could not be reached.").waitFor();
  server.refuse = () => undefined;
  await button("Try again").click();
  await sees("Hello.");
  assert.equal(await log().getByText("Not sent").count(), 0);
  assert.equal(await log().locator(".user").count(), 1);
});

test("Stop leaves an answer that goes on all the same, and the rest can be shown", async () => {
  server.agent = (t) => void t.write("Half");
  server.refuse = (r) => (r.method === "DELETE" ? "hang up" : undefined);
  await open();
  await say("Begin");
  await sees("Half");
  await button("Stop").click();
  await log().getByText("You stopped watching this answer.").waitFor();
  await until(() => server.open === 0);
  (await turn()).say("The rest.").finish();
  await button("Show the rest").click();
  await sees("The rest.");
});

test("a chat that leaves the page ends its stream, and one that comes back finds it again", async () => {
  server.agent = (t) => void t.write("Half");
  await open();
  await say("Begin");
  await sees("Half");
  await page.evaluate(() => {
    const chat = document.querySelector("parley-chat")!;
    Object.assign(window, { chat });
    chat.remove();
  });
  await until(() => server.open === 0);
  await page.evaluate(() => document.querySelector("main")!.append((window as unknown as { chat: Element }).chat));
  await sees("Half");
  await until(() => server.open === 1);
});
