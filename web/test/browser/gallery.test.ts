// Every card and the chat, in light and dark and at the width of a phone: nothing keeps people out, and there are pictures
// to look at.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { barriers, launch, openTab, picture } from "../browser.js";
import { approval, connect, everyKind, form, small } from "../questions.js";
import type { Json } from "../record.js";
import { FakeServer } from "../server.js";

let browser: Browser;
let server: FakeServer;

before(async () => {
  [browser, server] = await Promise.all([launch(), FakeServer.start()]);
});
after(async () => {
  await browser.close();
  await server.close();
});

const settled = (question: Json, outcome: Json): Json => ({ ...question, outcome });
const soon = () => new Date(Date.now() + 25_000).toISOString();

const cards = (url: string): { [name: string]: Json } => ({
  connect: connect(url),
  "connect-elsewhere": connect(url, {
    url: "https://accounts.xn--bcher-kva.example:8443/authorize?client_id=parley&redirect_uri=https%3A%2F%2Fparley.example%2Fcallback&scope=read%20write",
    context: { trigger: "mcp_elicitation", service: "Library of the city", account: "alice@example.com", domain: "xn--bcher-kva.example" },
  }),
  "connect-unsafe": connect(url, { url: "javascript:alert(1)" }),
  "connect-http": connect(url, { url: "http://intranet.example/ask", context: { trigger: "mcp_elicitation", service: "intranet" } }),
  approval: approval({ expiresAt: soon() }),
  form: form(),
  "form-small": form(small, { elicitationId: "q-small" }),
  unsupported: form({ type: "object", properties: { where: { type: "object" } } }, { elicitationId: "q-new" }),
  connected: settled(connect(url), { action: "accept", via: "page", by: "alice" }),
  declined: settled(form(small), { action: "decline", via: "slack", by: "alice" }),
  expired: settled(approval(), { action: "expire" }),
});

async function open(page: Page): Promise<void> {
  await page.goto(server.url + server.page("/card", "<main><h1>Card</h1><parley-question></parley-question></main>"));
}

// show puts a new card in the place of the one that is there.
async function show(page: Page, question: Json): Promise<void> {
  await page.locator("parley-question").evaluate((old, request) => {
    const card = document.createElement("parley-question");
    Object.assign(card, { request });
    card.style.margin = "16px";
    old.replaceWith(card);
  }, question);
  await page.locator("parley-question .card").waitFor();
}

const looks = [
  { look: "light", colorScheme: "light", viewport: { width: 720, height: 500 } },
  { look: "dark", colorScheme: "dark", viewport: { width: 720, height: 500 } },
  { look: "phone", colorScheme: "light", viewport: { width: 360, height: 640 } },
  { look: "phone-dark", colorScheme: "dark", viewport: { width: 320, height: 640 } },
] as const;

for (const { look, ...options } of looks) {
  test(`no card keeps people out, ${look}`, async () => {
    const { page } = await openTab(browser, { ...options, bypassCSP: true });
    await open(page);
    for (const [name, question] of Object.entries(cards(server.url))) {
      await show(page, question);
      await picture(page, `${name}-${look}`);
      assert.deepEqual(await barriers(page), [], `${name}, ${look}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${name}, ${look}: ${wide} pixels too wide`);
    }
    await page.context().close();
  });

  test(`a form with errors keeps nobody out, ${look}`, async () => {
    const { page } = await openTab(browser, { ...options, bypassCSP: true });
    await open(page);
    await show(page, form(everyKind, { elicitationId: "q-errors" }));
    await page.getByRole("button", { name: "Send answer" }).click();
    await page.getByText("Name is required.").waitFor();
    await picture(page, `errors-${look}`);
    assert.deepEqual(await barriers(page), []);
    await page.context().close();
  });

  test(`no card keeps people out while its window is open or blocked, ${look}`, async () => {
    for (const name of ["opened", "blocked"]) {
      const { page } = await openTab(browser, { ...options, bypassCSP: true });
      await page.addInitScript((opens) => void (window.open = () => (opens ? ({ focus() {} } as Window) : null)), name === "opened");
      await open(page);
      await show(page, connect(server.url));
      await page.getByRole("button", { name: "Connect" }).click();
      await page.getByRole("link", { name: "Open it in this window" }).waitFor();
      await picture(page, `connect-${name}-${look}`);
      assert.deepEqual(await barriers(page), []);
      await page.context().close();
    }
  });

  test(`no chat keeps people out, ${look}`, async () => {
    const { page } = await openTab(browser, { ...options, bypassCSP: true, viewport: { width: options.viewport.width, height: 820 } });
    server.agent = async (turn) => {
      turn.say(markdown);
      const list = turn.tool("c1", "list_issues", { project: "website", state: "open" });
      list.done({ issues: [{ id: 7, title: "Blank page after sign-in" }] });
      turn.tool("c2", "delete_issue", { id: 7 }).deny();
      turn.tool("c3", "search", { q: "login" }).fail("The search took too long.");
      turn.send({ type: "data-warning", data: { message: "The calendar could not be reached, so its tools are missing." } });
      turn.tool("c4", "create_issue", { title: "Blank page" });
      await turn.ask(approval());
      turn.finish();
    };
    await page.goto(server.url + server.page("/chat", '<main><h1>Chat</h1><parley-chat heading="Assistant"></parley-chat></main>'));
    await picture(page, `chat-empty-${look}`);
    await page.getByRole("textbox", { name: "Write a message" }).fill("What is open in the project website?\nAnd what should we do first?");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Deny" }).waitFor();
    await picture(page, `chat-card-${look}`);
    await page.locator("parley-chat summary").first().click();
    await page.getByRole("button", { name: "A question waits for you" }).waitFor();
    await picture(page, `chat-asking-${look}`);
    assert.deepEqual(await barriers(page), []);
    await page.locator("parley-chat .log").evaluate((log) => (log.scrollTop = 0));
    await page.getByRole("button", { name: "A question waits for you" }).waitFor();
    await picture(page, `chat-top-${look}`);
    assert.deepEqual(await barriers(page), []);
    server.refuse = (request) => (request.path.startsWith("/run/") ? "hang up" : undefined);
    server.drop();
    await page.getByText("The connection was lost.").waitFor();
    await picture(page, `chat-lost-${look}`);
    assert.deepEqual(await barriers(page), []);
    server.refuse = () => undefined;
    await page.context().close();
  });

  test(`no result keeps people out, ${look}`, async () => {
    const { page } = await openTab(browser, { ...options, bypassCSP: true, viewport: { width: options.viewport.width, height: 820 } });
    server.pictures.set("p1", { type: "image/png", data: await readFile("../docs/screens/first/desktop.png") });
    server.agent = (turn) => {
      turn.tool("c1", "camera__shot", {}).done("here");
      turn.content("c1", [
        { type: "image", id: "p1", title: "The first minutes" },
        { type: "image", id: "gone", name: "Another picture" },
        { type: "link", url: "https://tracker.example/7", title: "Ticket 7", description: "the oldest one that is open" },
        { type: "resource", uri: "file:///home/alice/notes.txt" },
      ]);
      turn.tool("c2", "tracker__read", {});
      turn.progress("c2", { service: "tracker", serviceTitle: "Acme Tracker", progress: 3, total: 10, message: "reading the tickets of the project website" });
    };
    await page.goto(server.url + server.page("/chat", '<main><h1>Chat</h1><parley-chat heading="Assistant"></parley-chat></main>'));
    await page.getByRole("textbox", { name: "Write a message" }).fill("Show me");
    await page.keyboard.press("Enter");
    await page.getByText("3 of 10").waitFor();
    await page.locator("parley-chat img").waitFor();
    await picture(page, `chat-results-${look}`);
    assert.deepEqual(await barriers(page), []);
    await page.context().close();
  });
}

const markdown = `There are **two open issues** in \`website\`:

1. *Blank page after sign-in*, reported by Ada
2. Slow search, see [the report](https://example.com/report)
   - seen on phones
   - not on desktops

\`\`\`sh
curl -s https://example.com/status | jq .healthy
\`\`\`

> The first one is marked urgent.

| issue | reports |
|:--|--:|
| Blank page | 12 |
| Slow search | 3 |

- [x] looked at the log
- [ ] asked Ada

I would begin with the first. Shall I create a task for it?`;
