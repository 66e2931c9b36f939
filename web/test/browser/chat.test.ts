// <parley-chat> against a server that speaks the contract, on a page with a strict policy.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, openTab, type Tab } from "../browser.js";
import { approval, connect, form, small } from "../questions.js";
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
  tab = await openTab(browser);
  page = tab.page;
});
afterEach(async () => {
  await page.context().close();
  await server.close();
  assert.deepEqual(tab.problems, []);
});

async function open(attributes = ""): Promise<void> {
  await page.goto(server.url + server.page("/chat", `<main><h1>Chat</h1><parley-chat ${attributes}></parley-chat></main>`));
  await composer().waitFor();
}
const composer = () => page.getByRole("textbox", { name: "Write a message" });
const button = (name: string) => page.getByRole("button", { name, exact: true });
const log = () => page.getByRole("log");
const card = () => page.locator("parley-chat parley-question");
const sees = (text: string) => log().getByText(text, { exact: true }).first().waitFor();
const conversation = () => page.locator("parley-chat").evaluate((c) => (c as unknown as { conversationId: string }).conversationId);
const turn = async () => server.turns(await conversation()).at(-1)!;
// A stream reaches the browser some time after the server has written it.
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`never: ${condition}`);
}
async function say(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press("Enter");
}

test("text streams as it comes, and Enter sends while Shift and Enter do not", async () => {
  let more!: (text?: string) => unknown;
  server.agent = (t) => void (more = t.write("There are **two"));
  await open('agent="helper"');
  await composer().pressSequentially("What is");
  await composer().press("Shift+Enter");
  await composer().pressSequentially("open?");
  await composer().press("Enter");
  await sees("There are **two");
  assert.equal(await log().getAttribute("aria-busy"), "true");
  more(" issues** in `website`.");
  await log().locator("strong", { hasText: "two issues" }).waitFor();
  more();
  (await turn()).finish();
  await button("Stop").waitFor({ state: "detached" });
  assert.equal(await log().getAttribute("aria-busy"), "false");
  assert.equal(await composer().inputValue(), "");
  const { headers, body } = server.seen[0]!;
  assert.equal(headers["x-supports-elicitation"], "true");
  assert.equal(headers["content-type"], "application/json");
  assert.equal(body?.["agent"], "helper");
  assert.match(String(body?.["id"]), /^conv_[0-9a-f]{32}$/);
  assert.deepEqual((body?.["messages"] as { parts: unknown }[]).map((m) => m.parts), [[{ type: "text", text: "What is\nopen?" }]]);
});

test("tool calls are lines that open", async () => {
  server.agent = (t) => {
    t.tool("c1", "list_issues", { project: "website" }).done({ issues: [7] });
    t.tool("c2", "search", { q: "x" }).fail("The search took too long.");
    t.tool("c3", "delete_issue", { id: 7 }).deny();
    t.finish();
  };
  await open();
  await say("Go");
  await sees("denied");
  assert.deepEqual((await log().locator("summary").allInnerTexts()).map((s) => s.split(/\s+/)), [["list_issues", "done"], ["search", "failed"], ["delete_issue", "denied"]]);
  await log().getByText("list_issues").click();
  await log().getByText('"project": "website"').waitFor();
  await log().getByText("search", { exact: true }).click();
  await sees("The search took too long.");
});

// A red dot.
const dot = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==", "base64");

test("pictures and links of a result are shown, also after a reload, and nothing that could run", async () => {
  server.pictures.set("p1", { type: "image/png", data: dot });
  server.pictures.set("p2", { type: "image/svg+xml", data: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>") });
  server.agent = (t) => {
    t.tool("c1", "camera__shot", {}).done("here");
    t.content("c1", [
      { type: "image", id: "p1", title: "Front door", mediaType: "image/png", url: "https://evil.example/track.png" },
      { type: "image", id: "p2", name: "drawing" },
      { type: "image", id: "gone", name: "old" },
      { type: "link", uri: "https://tracker.example/7", url: "https://tracker.example/7", title: "Ticket 7", description: "the oldest" },
      { type: "link", uri: "javascript:alert(1)", url: "javascript:alert(1)", name: "evil" },
      { type: "resource", uri: "file:///notes.txt" },
    ]);
    t.finish();
  };
  await open();
  await say("Go");
  const check = async () => {
    const image = log().locator("img");
    await image.waitFor();
    assert.equal(await image.count(), 1);
    assert.equal(await image.getAttribute("alt"), "Front door");
    assert.match((await image.getAttribute("src"))!, /^data:image\/png;base64,/);
    assert.equal(await image.evaluate((i: HTMLImageElement) => i.decode().then(() => i.naturalWidth)), 5);
    await sees("drawing cannot be shown.");
    await sees("old cannot be shown.");
    assert.deepEqual(await log().locator(".content a").evaluateAll((all) => all.map((a) => [a.getAttribute("href"), a.getAttribute("rel"), a.textContent])), [
      ["https://tracker.example/7", "noopener noreferrer", "Ticket 7"],
    ]);
    await sees("file:///notes.txt");
  };
  await check();
  await page.reload();
  await check();
});

test("how far a call is stands with it until it ends", async () => {
  let call!: { done(output: unknown): void };
  server.agent = (t) => {
    call = t.tool("c1", "tracker__read", {});
    t.progress("c1", { service: "tracker", progress: 3, total: 10, message: "reading tickets" });
  };
  await open();
  await say("Go");
  await sees("tracker: 3 of 10, reading tickets");
  (await turn()).progress("c1", { service: "tracker", message: "nearly\u202e done" });
  await log().locator(".progress", { hasText: /^\s*tracker: nearly.* done\s*$/ }).waitFor();
  call.done("ok");
  await log().locator(".progress").waitFor({ state: "detached" });
  (await turn()).finish();
});

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

test("on a phone every button of an approval in a chat is on the screen", async () => {
  await page.setViewportSize({ width: 390, height: 608 }); // what a browser and the page around it leave of a phone
  const message = `Allow this call?\n\nService: tracker\nTool: create_issue\nArguments:\n${JSON.stringify({ a: 1, b: 2, c: 3, d: 4 }, null, 2)}`;
  server.agent = (t) => void t.ask(approval({ message, context: { trigger: "tool_approval", service: "tracker", serviceTitle: "The tracker of us all", server: "tracker", account: "alice", tool: "create_issue" } }));
  await open();
  await say("Create it");
  await button("Deny").waitFor();
  const until = (await composer().boundingBox())!.y;
  await page.waitForTimeout(300); // it has been scrolled to
  for (const name of ["Allow once", "Always allow", "Deny"]) {
    const box = (await button(name).boundingBox())!;
    assert.ok(box.y > 0 && box.y + box.height <= until, `${name} ends at ${box.y + box.height}, and the composer is at ${until}`);
  }
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
  await button("Try now").click();
  await sees("The rest.");
  await button("Stop").waitFor({ state: "detached" });
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

test("an empty chat offers what may be said, and takes the focus where the page wants it", async () => {
  await open(`autofocus suggestions='["Book a trip","", 7, "<b>Order</b> tea"]'`);
  const offered = page.locator("parley-chat .suggestions button");
  assert.deepEqual(await offered.allInnerTexts(), ["Book a trip", "<b>Order</b> tea"]);
  assert.equal(await composer().evaluate((e) => (e.getRootNode() as ShadowRoot).activeElement === e), true);
  await offered.first().click();
  await sees("Hello.");
  assert.equal(await page.locator("parley-chat .user .bubble").innerText(), "Book a trip");
  assert.equal(await offered.count(), 0);
  await button("New conversation").click(); // also without a heading
  await offered.first().waitFor();
});

test("a new conversation is empty, and the old one is gone from the tab", async () => {
  await open('heading="Assistant"');
  await say("Begin");
  await sees("Hello.");
  const before = await conversation();
  await button("New conversation").click();
  await page.getByText("Ask something to begin.").waitFor();
  assert.notEqual(await conversation(), before);
  await page.reload();
  await page.getByText("Ask something to begin.").waitFor();
});

test("foreign text never becomes anything but text", async () => {
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>[x](javascript:document.title=3)';
  server.agent = (t) => {
    t.say(evil);
    t.tool("c1", evil, { evil }).done(evil);
    t.send({ type: "data-warning", data: { message: evil } }, { type: "data-tool-auth-required", data: { message: "Connect.", authLink: "javascript:document.title=4" } });
    t.finish();
  };
  await open();
  await say(evil);
  await sees("Connect.");
  assert.equal(await log().locator("img, script, a").count(), 0);
  assert.equal(await page.title(), "Test");
});

test("links open without a way back", async () => {
  server.agent = (t) => t.say("See [this](https://example.com/a) and https://example.com/b").finish();
  await open();
  await say("Begin");
  await sees("this");
  const links = await log().locator("a").evaluateAll((list) => list.map((a) => [(a as HTMLAnchorElement).href, a.getAttribute("rel"), a.getAttribute("target")]));
  assert.deepEqual(links, [["https://example.com/a", "noopener noreferrer nofollow", "_blank"], ["https://example.com/b", "noopener noreferrer nofollow", "_blank"]]);
});

test("tables are tables, and a picture is not loaded", async () => {
  server.agent = (t) => t.say("| item | price |\n|:--|--:|\n| pen | **2** |\n\n![chart](https://example.com/c.png) <img src=https://example.com/d.png>").finish();
  await open();
  await say("Begin");
  await log().getByRole("columnheader", { name: "price" }).waitFor();
  assert.deepEqual(await log().getByRole("cell").allTextContents(), ["pen", "2"]);
  assert.equal(await log().locator("img").count(), 0);
  assert.equal(await log().getByRole("link", { name: "chart" }).getAttribute("href"), "https://example.com/c.png");
});

test("no text stops the page, neither at once nor piece by piece", async () => {
  let more!: (text?: string) => unknown;
  server.agent = (t) => {
    t.say("# " + " ".repeat(20_000) + "x\u2028x\n\n" + ">".repeat(20_000) + "\n\n" + "*_".repeat(10_000) + "\n\n" + "![".repeat(10_000) + "\n\nAfter all that");
    more = t.write("```js\n");
  };
  await open();
  await say("Begin");
  await sees("After all that");
  for (let i = 0; i < 200; i++) more(`line ${i} ` + "`".repeat(100) + "\n");
  more("```\n\nThe **end**");
  await log().locator("strong", { hasText: "end" }).waitFor();
  assert.match(await log().locator("pre").last().innerText(), /^line 0 `+\n[^]*line 199 `+$/);
});

test("the log follows what comes in, unless the person has scrolled away", async () => {
  let more!: (text?: string) => unknown;
  server.agent = (t) => {
    t.say(Array.from({ length: 80 }, (_, i) => `Line ${i}\n\n`).join(""));
    more = t.write("The end");
  };
  await open();
  await say("Begin");
  await sees("The end");
  const fromEnd = () => log().evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
  await until(async () => (await fromEnd()) < 5);
  await log().evaluate((e) => (e.scrollTop = 100));
  await button("Latest message").waitFor();
  more("\n\nmore ".repeat(20));
  await log().getByText("more").last().waitFor({ state: "attached" });
  assert.equal(await log().evaluate((e) => e.scrollTop), 100);
  void (await turn()).ask(approval());
  await button("Deny").waitFor();
  const inView = () => card().evaluate((c) => c.getBoundingClientRect().top < innerHeight - 48);
  await until(inView); // by itself
  await log().evaluate((e) => (e.scrollTop = 100));
  await button("A question waits for you").click();
  await until(inView);
  await until(async () => (await button("A question waits for you").count()) === 0);
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

test("a token is sent instead of cookies, and asked for anew each time", async () => {
  await page.goto(server.url + server.page("/token", "<main><h1>Chat</h1></main>"));
  await page.evaluate(() => {
    let n = 0;
    const chat = Object.assign(document.createElement("parley-chat"), { getToken: async () => `token-${++n}` });
    document.querySelector("main")!.append(chat);
  });
  server.agent = async (t) => {
    await t.ask(approval());
    t.say("Done.").finish();
  };
  await say("Begin");
  await button("Deny").click();
  await sees("Done.");
  assert.deepEqual(server.seen.map((r) => [r.path, r.headers.authorization]), [
    ["/run/api/chat", "Bearer token-1"],
    ["/run/api/elicitation-responses", "Bearer token-2"],
  ]);
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
