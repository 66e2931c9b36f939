// The part of the inbox in which people choose how they are told. The browser's push service is stood in for: the service
// worker, the permission and everything around them are the real ones.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { barriers, picture } from "../browser.js";
import { arrive, page, site } from "../inbox-visit.js";

interface Push {
  permission: string; // what the browser says before anybody was asked
  says: string; // what the person says when asked
  fails: string[]; // names of the errors of the first calls of subscribe
}

// stand in for what needs a push service. It remembers what was asked, and whether a click led to it.
function standIn({ permission, says, fails }: Push): void {
  const w = window as unknown as { asked: boolean[]; keys: unknown[]; permission: string };
  w.asked = [];
  w.keys = [];
  w.permission = sessionStorage.getItem("permission") ?? permission;
  Object.defineProperty(Notification, "permission", { get: () => w.permission });
  Notification.requestPermission = () => {
    w.asked.push(navigator.userActivation.isActive);
    w.permission = says;
    return Promise.resolve(says as NotificationPermission);
  };
  const read = () => {
    const endpoint = sessionStorage.getItem("endpoint");
    if (!endpoint) return null;
    return {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh: "P".repeat(87), auth: "A".repeat(22) } }),
      unsubscribe: () => (sessionStorage.removeItem("endpoint"), Promise.resolve(true)),
    };
  };
  PushManager.prototype.getSubscription = () => Promise.resolve(read() as unknown as PushSubscription | null);
  PushManager.prototype.subscribe = (options) => {
    const failed = fails.shift();
    if (failed) return Promise.reject(new DOMException("no", failed));
    w.keys.push([options?.userVisibleOnly, options?.applicationServerKey]);
    sessionStorage.setItem("endpoint", "https://push.example/1");
    return Promise.resolve(read() as unknown as PushSubscription);
  };
}

async function visit(push: Partial<Push> = {}, options: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }): Promise<void> {
  await arrive(options);
  await page.addInitScript(standIn, { permission: "default", says: "granted", fails: [], ...push });
  await page.goto(`${site.url}/inbox#notifications`);
  await page.getByRole("heading", { name: "How you are told" }).waitFor();
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
const asked = () => page.evaluate(() => (window as unknown as { asked: boolean[] }).asked);

test("a browser is asked after a click only, subscribes with the server's key, is tested and turned off", async () => {
  await visit();
  await button("Turn on in this browser").waitFor();
  assert.deepEqual(await asked(), []);
  await button("Turn on in this browser").click();
  await row("Chrome on Linux").getByText("this one").waitFor();
  assert.deepEqual(await asked(), [true], "once, by the click");
  assert.deepEqual(await page.evaluate(() => (window as unknown as { keys: unknown[] }).keys), [[true, "B".padEnd(87, "A")]]);
  assert.deepEqual(site.me.subscribed, [{ endpoint: "https://push.example/1", key: "P".repeat(87), auth: "A".repeat(22), label: "Chrome on Linux" }]);
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration("/inbox/sw.js"))?.active?.state), "activated");
  assert.equal(await button("Turn on in this browser").count(), 0);
  assert.deepEqual(await barriers(page), []);
  await button("Send a test: Chrome on Linux").click();
  await page.getByText("Sent. It appears within a few seconds.").waitFor();
  assert.deepEqual(site.me.tested, [site.me.browsers[0]!["id"]]);
  await button("Turn off: Chrome on Linux").click();
  await page.getByText("No more notifications: Chrome on Linux.").waitFor();
  assert.deepEqual(site.me.browsers, []);
  assert.equal(await page.evaluate(() => sessionStorage.getItem("endpoint")), null, "the browser forgets it too");
  await button("Turn on in this browser").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.shadowRoot?.activeElement?.shadowRoot?.activeElement?.id), "on");
});

test("a browser that is allowed already turns on without a question, and other devices are shown", async () => {
  site.me.browsers = [{ id: "ab", label: "Safari on iPhone", created_at: "2026-11-01T08:00:00Z" }];
  await visit({ permission: "granted" });
  await row("Safari on iPhone").waitFor();
  assert.equal(await page.getByText("this one").count(), 0);
  await button("Turn off: Safari on iPhone").click();
  await page.getByText("No browser of yours shows any so far.").waitFor();
  await button("Turn on in this browser").click();
  await row("Chrome on Linux").getByText("this one").waitFor();
});

test("a browser that denies is explained, before and after the question", async () => {
  await visit({ says: "denied" });
  await button("Turn on in this browser").click();
  await page.getByRole("alert").getByText("the page cannot ask again").waitFor();
  assert.equal(site.me.subscribed.length, 0);
  await page.evaluate(() => sessionStorage.setItem("permission", "denied"));
  await page.reload();
  await page.getByText("Open the settings of the page, left of its address, allow notifications there").waitFor();
  assert.equal(await button("Turn on in this browser").count(), 0);
  assert.deepEqual(await barriers(page), []);
  await picture(page, "inbox-notifications-denied");
});

test("a question that is closed without a word can be asked again, and a push service that is away is said", async () => {
  await visit({ says: "default" });
  await button("Turn on in this browser").click();
  await page.getByRole("alert").getByText("Nothing was chosen").waitFor();
  await button("Turn on in this browser").waitFor();
  await page.context().close();
  await visit({ fails: ["AbortError"] });
  await button("Turn on in this browser").click();
  await page.getByRole("alert").getByText("could not reach its push service").waitFor();
  await button("Turn on in this browser").click();
  await row("Chrome on Linux").getByText("this one").waitFor();
});

test("a subscription for a key that the server had before is replaced", async () => {
  await visit({ permission: "granted", fails: ["InvalidStateError"] });
  await page.evaluate(() => sessionStorage.setItem("endpoint", "https://push.example/old"));
  await button("Turn on in this browser").click();
  await row("Chrome on Linux").getByText("this one").waitFor();
  assert.equal(site.me.subscribed[0]!["endpoint"], "https://push.example/1");
});

test("a browser without push messages says what to do, on an iPhone too", async () => {
  const remove = () => void delete (window as { PushManager?: unknown }).PushManager;
  for (const [userAgent, words] of [
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1", "Add to Home Screen"],
    ["Mozilla/5.0 (X11; Linux x86_64) Other/1", "shows no notifications of pages"],
  ] as const) {
    await arrive({ userAgent });
    await page.addInitScript(remove);
    await page.goto(`${site.url}/inbox#notifications`);
    await page.getByText(words).waitFor();
    assert.equal(await button("Turn on in this browser").count(), 0);
    if (words.startsWith("Add")) await page.context().close();
  }
});

test("the order, the times and what is off are changed with the keyboard and stored", async () => {
  await visit();
  await row("Webhook ops").getByRole("combobox").waitFor();
  assert.equal(await page.getByRole("combobox", { name: "When: Webhook ops" }).inputValue(), "45", "a time that is not among the usual ones");
  await button("Earlier: E-mail to alice@example.com").focus();
  await page.keyboard.press("Enter");
  await page.getByText("Stored.").waitFor();
  const names = () => site.me.channels.map((c) => c["channel"]);
  assert.deepEqual(names(), ["email", "web_push", "webhook:ops"]);
  await page.keyboard.press("Enter"); // the focus has moved along; it is the first now, so this does nothing
  await button("Later: E-mail to alice@example.com").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("parley-inbox")?.shadowRoot?.querySelector("parley-inbox-notifications")?.shadowRoot?.querySelector("parley-inbox-channels")?.shadowRoot?.querySelector("li:nth-child(2)")?.getAttribute("data-channel") === "email");
  assert.deepEqual(names(), ["web_push", "email", "webhook:ops"]);
  await page.getByRole("checkbox", { name: "Webhook ops: on" }).press("Space");
  await row("Webhook ops").getByText("Off: left out.").waitFor();
  await page.getByRole("combobox", { name: "When: E-mail to alice@example.com" }).selectOption("after 1 hour");
  await page.waitForFunction(() => document.querySelector("parley-inbox")?.shadowRoot?.querySelector("parley-inbox-notifications")?.shadowRoot?.querySelector("parley-inbox-channels")?.shadowRoot?.querySelector<HTMLSelectElement>("li:nth-child(2) select")?.value === "3600");
  assert.deepEqual(site.me.channels, [{ channel: "web_push", after: 30, off: false }, { channel: "email", after: 3600, off: false }, { channel: "webhook:ops", after: 45, off: true }]);
});

test("a refusal is said in words, and what is shown is what is stored", async () => {
  await visit();
  site.refuse = (path) => (path.startsWith("PUT ") ? [422, { detail: "This cannot be taken as it is.", errors: [{ location: "body", message: "not possible: an absence is of 366 days at most" }] }] : undefined);
  await page.getByLabel("First day").fill("2026-12-20");
  await page.getByLabel("Last day").fill("2028-12-20");
  await button("I am away then").click();
  await page.getByRole("alert").getByText("This was not taken: not possible: an absence is of 366 days at most.").waitFor();
  await page.getByRole("checkbox", { name: "Webhook ops: on" }).click();
  await page.getByRole("alert").waitFor();
  await page.waitForFunction(() => document.querySelector("parley-inbox")?.shadowRoot?.querySelector("parley-inbox-notifications")?.shadowRoot?.querySelector("parley-inbox-channels")?.shadowRoot?.querySelector<HTMLInputElement>("li:nth-child(3) input")?.checked === true);
});

test("an absence is of whole days here, is taken back, and one of the configuration is named", async () => {
  await visit();
  await page.getByText("also asked of your deputy, bob.").waitFor();
  await page.getByLabel("First day").fill("2026-12-20");
  await page.getByLabel("Last day").fill("2026-12-19");
  await button("I am away then").click();
  await page.getByRole("alert").getByText("The last day is before the first.").waitFor();
  await page.getByLabel("Last day").fill("2027-01-06");
  await button("I am away then").click();
  await page.getByText("You will be away from Sunday").waitFor();
  assert.deepEqual(site.me.absence, { from: "2026-12-19T23:00:00.000Z", until: "2027-01-06T23:00:00.000Z" });
  await page.getByText("to Wednesday 6 January 2027.").or(page.getByText("to Wednesday, 6 January 2027.")).waitFor();
  assert.equal(await page.getByLabel("Last day").inputValue(), "2027-01-06");
  site.me.configuredAbsence = { from: "2026-01-01T00:00:00Z", until: "2126-01-01T00:00:00Z" };
  await button("I am not").click();
  await page.getByText("You are away from").waitFor();
  await page.getByText("the configuration of the server does").waitFor();
  assert.equal(site.me.absence, undefined);
});

test("a server that tells nobody says so", async () => {
  site.me.channels = [];
  await visit();
  await page.getByText("This server tells nobody of questions.").waitFor();
  assert.equal(await button("Turn on in this browser").count(), 0);
});

for (const [name, options] of Object.entries({
  desktop: { viewport: { width: 1280, height: 800 } },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  "dark-phone": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" },
} satisfies { [name: string]: BrowserContextOptions })) {
  test(`notifications keep nobody out and fit the screen (${name})`, async () => {
    site.me.browsers = [{ id: "ab", label: "Safari on iPhone", created_at: "2026-11-01T08:00:00Z" }];
    site.me.absence = { from: "2026-12-19T23:00:00Z", until: "2027-01-06T23:00:00Z" };
    await visit({}, options);
    await row("Safari on iPhone").waitFor();
    assert.deepEqual(await barriers(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    await picture(page, `inbox-notifications-${name}`);
  });
}

test("where Slack is configured, the way to one's Slack accounts stands at its channel", async () => {
  await visit();
  await row("E-mail").first().waitFor();
  assert.equal(await page.getByRole("link", { name: "Your Slack accounts" }).count(), 0);
  site.me.channels.push({ channel: "slack", after: 30 });
  await visit();
  const link = row("A direct message in Slack").getByRole("link", { name: "Your Slack accounts" });
  await link.waitFor();
  assert.equal(await link.getAttribute("href"), "/slack/link");
  assert.deepEqual(await barriers(page), []);
});
