// The widget in the pages of others: another origin, another framework, another look.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { launch, openTab, type Tab } from "../browser.js";
import { approval, connect, form, small } from "../questions.js";
import { root } from "../root.js";
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

const button = (name: string) => page.getByRole("button", { name, exact: true });
const log = () => page.getByRole("log");

async function say(text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Write a message" }).fill(text);
  await page.keyboard.press("Enter");
}

test("one script tag is enough on a page of another origin, with a policy that names only the server", async () => {
  const policy =
    `default-src 'none'; script-src ${server.url}; connect-src ${server.url}; style-src 'self'; img-src data:; ` +
    "require-trusted-types-for 'script'; trusted-types lit-html";
  server.agent = async (turn) => {
    await turn.ask(connect(server.url));
    turn.say("Connected, going on.").finish();
  };
  await page.goto(server.other + server.page("/embed", "<main><h1>Shop</h1><parley-chat></parley-chat></main>", policy));
  assert.notEqual(new URL(page.url()).origin, server.url);
  await say("Begin");
  const [popup] = await Promise.all([page.waitForEvent("popup"), button("Connect").click()]);
  await popup.waitForLoadState();
  assert.equal(popup.url(), `${server.url}/auth/connect?elicitation_id=q-connect`);
  await popup.locator("#approve").click();
  await log().getByText("Connected, going on.").waitFor();
  assert.ok(server.seen.every((r) => r.path !== "/run/api/chat" || r.headers.origin === server.other));
});

test("<parley-question> answers for somebody else's application with useChat", async () => {
  let got: unknown;
  server.agent = async (turn) => {
    turn.say("A question:");
    got = await turn.ask(form(small));
    turn.say("Thank you.").finish();
  };
  await page.goto(server.url + server.page("/app", '<div id="root"></div><script type="module" src="/react.js"></script>', ""));
  await button("Begin").click();
  await page.getByLabel("Reason").fill("Lunch with Ada");
  await page.getByLabel("Amount").fill("70");
  await button("Send answer").click();
  await page.getByText("Thank you.").waitFor();
  await page.getByText("Answered.", { exact: true }).first().waitFor();
  assert.deepEqual(got, { action: "accept", content: { reason: "Lunch with Ada", amount: 70 } });
  assert.equal(await page.title(), "answered accept");
  await page.locator("#status", { hasText: "ready" }).waitFor();
  assert.equal(await page.locator("#error").innerText(), "");
});

test("colours, radius and font come from the variables of the page", async () => {
  await page.goto(server.url + server.page("/theme", "<main><h1>Card</h1><parley-question></parley-question></main>"));
  await page.locator("parley-question").evaluate((card, request) => {
    const { style } = card as HTMLElement;
    style.setProperty("--parley-accent", "rgb(1, 2, 3)");
    style.setProperty("--parley-accent-text", "rgb(250, 251, 252)");
    style.setProperty("--parley-radius", "0px");
    style.setProperty("--parley-font", "serif");
    Object.assign(card, { request });
  }, approval());
  const look = (selector: string, property: string) => page.locator(`parley-question ${selector}`).evaluate((e, p) => getComputedStyle(e).getPropertyValue(p), property);
  await button("Allow once").waitFor();
  assert.equal(await look(".primary", "background-color"), "rgb(1, 2, 3)");
  assert.equal(await look(".primary", "color"), "rgb(250, 251, 252)");
  assert.equal(await look(".card", "border-radius"), "0px");
  assert.equal(await look(".primary", "font-family"), "serif");
});

test("the theme follows the person's choice, and the attribute goes before it", async () => {
  await page.emulateMedia({ colorScheme: "dark" });
  server.agent = (turn) => void turn.ask(approval());
  await page.goto(server.url + server.page("/dark", "<main><h1>Chat</h1><parley-chat></parley-chat></main>"));
  await say("Begin");
  await button("Deny").waitFor();
  const backgrounds = () =>
    page.evaluate(() => {
      const chat = document.querySelector("parley-chat")!;
      const card = chat.shadowRoot!.querySelector("parley-question")!.shadowRoot!.querySelector(".card")!;
      return [getComputedStyle(chat).backgroundColor, getComputedStyle(card).backgroundColor];
    });
  assert.deepEqual(await backgrounds(), ["rgb(21, 23, 27)", "rgb(30, 33, 39)"]);
  await page.locator("parley-chat").evaluate((chat) => chat.setAttribute("theme", "light"));
  await page.waitForFunction(() => document.querySelector("parley-chat")!.shadowRoot!.querySelector('parley-question[theme="light"]'));
  assert.deepEqual(await backgrounds(), ["rgb(255, 255, 255)", "rgb(255, 255, 255)"]);
});

test("somebody who wants less motion gets none", async () => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(server.url + server.page("/still", "<main><h1>Card</h1><parley-question></parley-question></main>"));
  await page.locator("parley-question").evaluate((card, request) => void Object.assign(card, { request }), approval());
  await button("Deny").waitFor();
  assert.equal(await page.locator("parley-question .card").evaluate((e) => getComputedStyle(e).animationName), "none");
});

test("a script that is loaded twice does no harm", async () => {
  await page.goto(server.url + server.page("/twice", `<main><h1>Chat</h1><parley-chat></parley-chat></main><script type="module" src="/widget.js?again"></script>`, "script-src 'self'"));
  await say("Begin");
  await log().getByText("Hello.").waitFor();
});

test("a page where nothing may be stored has a chat all the same", async () => {
  await page.addInitScript(() =>
    Object.defineProperty(window, "sessionStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    }),
  );
  await page.goto(server.url + server.page("/private", "<main><h1>Chat</h1><parley-chat></parley-chat></main>"));
  await say("Begin");
  await log().getByText("Hello.").waitFor();
});

test("the bundle is smaller than 64 kB", () => {
  const size = gzipSync(readFileSync(new URL("tmp/widget.js", root)), { level: 9 }).length;
  console.log(`widget.js: ${size} bytes gzipped`);
  assert.ok(size < 64_000, `${size} bytes`);
});
