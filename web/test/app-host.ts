// A host of MCP Apps that does what a test tells it to, with a server behind it that knows two tools.

import { readFile } from "node:fs/promises";
import type { Browser, BrowserContextOptions, Frame, Locator, Page } from "playwright-core";
import { openTab, type Tab } from "./browser.js";
import type { Json } from "./record.js";

export interface Said {
  method?: string;
  id?: unknown;
  params?: Json;
  result?: Json;
  error?: Json;
}

// policy is what the specification gives an app that declares nothing.
const policy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

const hostPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<style>html{color-scheme:light dark}body{margin:16px;background:light-dark(#fff,#15171b)}iframe{border:0;width:100%;height:40px;display:block}</style>
<main><h1 hidden>Host</h1><iframe id="app" title="Question" sandbox="allow-scripts"></iframe></main>
<script>
const frame = document.getElementById("app");
var post = (message) => frame.contentWindow.postMessage({jsonrpc: "2.0", ...message}, "*");
addEventListener("message", async ({source, data}) => {
  if (source !== frame.contentWindow) return;
  if (data.method === "ui/notifications/size-changed") frame.style.height = data.params.height + "px";
  const reply = JSON.parse(await said(JSON.stringify(data)));
  if (reply) post({id: data.id, ...reply});
});
frame.src = "http://app.test/";
</script></html>`;

export class Host {
  // said is all that the app said, in order.
  readonly said: Said[] = [];
  hello: Json = { hostCapabilities: { serverTools: {}, openLinks: {} }, hostContext: {} };
  // tools return a question, or throw what the host says instead.
  open: (args: Json) => Json | Promise<Json> = () => ({ state: "none", words: "There is nothing to answer." });
  answer: (args: Json) => Json = () => ({ state: "settled", outcome: "accept", words: "Answered." });
  link: () => Said = () => ({ result: {} });
  tab!: Tab;

  async show(browser: Browser, options: BrowserContextOptions = {}): Promise<void> {
    this.tab = await openTab(browser, options);
    const { page } = this.tab;
    // As text, so that every name of a member gets through.
    await page.exposeFunction("said", async (message: string) => JSON.stringify((await this.#reply(JSON.parse(message) as Said)) ?? null));
    const html = await readFile(new URL("../ask.html", import.meta.url), "utf8");
    await page.route("http://host.test/", (route) => route.fulfill({ contentType: "text/html", body: hostPage }));
    await page.route("http://app.test/", (route) => route.fulfill({ contentType: "text/html", headers: { "content-security-policy": policy }, body: html }));
    await page.route("http://other.test/", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Another app</title>" }));
    await page.goto("http://host.test/");
  }

  async #reply(message: Said): Promise<Said | undefined> {
    this.said.push(message);
    if (message.id === undefined || message.method === undefined) return undefined;
    if (message.method === "ui/initialize") return { result: { protocolVersion: "2026-01-26", hostInfo: { name: "test", version: "1" }, ...this.hello } };
    if (message.method === "ui/open-link") return this.link();
    const { name, arguments: args } = message.params as { name: string; arguments: Json };
    try {
      const ask = name === "parley_open" ? await this.open(args) : this.answer(args);
      return { result: { content: [{ type: "text", text: "Shown." }], _meta: { "parley/ask": ask } } };
    } catch (error) {
      return error instanceof Unreachable ? { error: { code: -32000, message: "gone" } } : { result: { isError: true, content: [{ type: "text", text: (error as Error).message }] } };
    }
  }

  get page(): Page {
    return this.tab.page;
  }

  // card is the app's page.
  get card(): Locator {
    return this.page.frameLocator("#app").locator("main");
  }

  frame(): Frame {
    return this.page.frames().find((f) => f.url() === "http://app.test/")!;
  }

  button(name: string): Locator {
    return this.card.getByRole("button", { name, exact: true });
  }

  // armed is a button that does something.
  armed(name: string): Locator {
    return this.card.locator('button[aria-disabled="false"]').and(this.button(name));
  }

  async press(name: string): Promise<void> {
    await this.button(name).scrollIntoViewIfNeeded();
    await this.armed(name).click();
  }

  // tell posts a message to the app, as a host does.
  tell(message: Said): Promise<void> {
    return this.page.evaluate((m) => (window as unknown as { post: (m: unknown) => void }).post(m), message);
  }

  notify(method: string, params: Json): Promise<void> {
    return this.tell({ method: `ui/notifications/${method}`, params });
  }

  // calls are the arguments of a tool's calls.
  calls(name: string): Json[] {
    return this.said.flatMap((m) => (m.method === "tools/call" && m.params?.["name"] === name ? [m.params["arguments"] as Json] : []));
  }

  replies(id: unknown): Said[] {
    return this.said.filter((m) => m.method === undefined && m.id === id);
  }
}

export class Unreachable extends Error {}
