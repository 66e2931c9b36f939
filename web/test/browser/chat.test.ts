// <parley-chat> against a server that speaks the contract, on a page with a strict policy: what is said and how it looks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { button, card, composer, conversation, log, open, page, say, sees, server, turn, until } from "../chat.js";
import { approval } from "../questions.js";

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

test("the chat tells which conversation it has, at once, after a reload too, and when a new one begins", async () => {
  await page.addInitScript(() => {
    const heard: string[] = ((window as unknown as { heard: string[] }).heard = []);
    addEventListener("parley-conversation", (event) => heard.push((event as CustomEvent<{ id: string }>).detail.id));
  });
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  server.agent = (t) => t.say("Hello.").finish();
  await open('heading="Help"');
  const first = await conversation();
  assert.deepEqual(await heard(), [first]);
  await say("Hi");
  await sees("Hello.");
  await page.reload();
  await sees("Hello.");
  assert.deepEqual(await heard(), [first]);
  await button("New conversation").click();
  assert.deepEqual(await heard(), [first, await conversation()]);
  assert.notEqual(await conversation(), first);
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
