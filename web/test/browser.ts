// Chromium for the tests.

import { mkdir } from "node:fs/promises";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
import { root } from "./root.js";

// program is the browser: the one that $CHROMIUM names, or the engine without the windows and menus of a desktop, which takes half the processor time, or all of it.
const program = process.env["CHROMIUM"] ?? ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path)) ?? "/usr/bin/chromium";

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: program,
    args: ["--site-per-process", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--no-first-run"],
  });
}

// Tab is a page whose errors are remembered: a violated policy and an exception are both errors.
export interface Tab {
  page: Page;
  problems: string[];
}

export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 760, height: 800 }, timezoneId: "Europe/Vienna", locale: "en-GB", ...options });
  context.setDefaultTimeout(60_000); // machines are slow
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // The browser itself reports requests that fail, which some tests want.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) problems.push(message.text());
  });
  return { page, problems };
}

const axe = readFileSync(createRequire(new URL("package.json", root)).resolve("axe-core/axe.min.js"), "utf8");

// barriers are what axe-core finds in a page that keeps people out, one line each.
export async function barriers(page: Pick<Page, "evaluate">): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  // What is fading in has another contrast. A document does not name the animations of its shadow trees.
  await page.evaluate(() => {
    const trees = (root: Document | ShadowRoot): (Document | ShadowRoot)[] => [root, ...[...root.querySelectorAll("*")].flatMap((e) => (e.shadowRoot ? trees(e.shadowRoot) : []))];
    const fading = trees(document).flatMap((t) => t.getAnimations()).filter((a) => a.effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(fading.map((a) => a.finished));
  });
  return page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const result = await (globalThis as unknown as { axe: { run: (...args: unknown[]) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> } }).axe.run(
      document,
      { resultTypes: ["violations"], runOnly: tags },
    );
    return result.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html} ${n.failureSummary}`));
  });
}

// picture keeps a screenshot for people to look at.
export async function picture(page: Page, name: string): Promise<void> {
  const folder = new URL("tmp/screens/", root);
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: new URL(`${name}.png`, folder).pathname, fullPage: true, animations: "disabled" });
}

// wholeIn reports whether an element shows all that is in it, without a way to scroll.
export const wholeIn = (box: Locator): Promise<boolean> =>
  box.evaluate((e) => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth && getComputedStyle(e).overflow === "visible");
