// What a person reads and can do in an answer: code, tasks, calls, marks of turns that failed, and what was decided.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { barriers, launch, openTab, picture, type Tab } from "../browser.js";
import { approval, connect, form, small } from "../questions.js";
import type { Record } from "../record.js";
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
  tab = await openTab(browser, { bypassCSP: true, permissions: ["clipboard-read", "clipboard-write"] });
  page = tab.page;
});
afterEach(async () => {
  await page.context().close();
  await server.close();
  assert.deepEqual(tab.problems, []);
});

async function begin(agent: (turn: Record, said: string) => unknown): Promise<void> {
  server.agent = (turn, said) => void agent(turn, said);
  await page.goto(server.url + server.page("/chat", "<main><h1>Chat</h1><parley-chat></parley-chat></main>"));
  await say("Begin");
}
const composer = () => page.getByRole("textbox", { name: "Write a message" });
const button = (name: string) => page.getByRole("button", { name, exact: true });
const log = () => page.getByRole("log");
const card = () => page.locator("parley-chat parley-question");
const sees = (text: string) => log().getByText(text, { exact: true }).first().waitFor();
const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
async function say(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press("Enter");
}

const long = `There are **two** issues, ~~three~~ as of *today*:

| issue | reports |
|:--|--:|
| Blank page | 12 |
| Slow search | 3 |

\`\`\`python
for issue in issues:
    print(issue.title)
\`\`\`

- [x] looked at the log
- [ ] asked Ada`;

test("what is struck out is, tasks say whether they are done, and code has its language", async () => {
  await begin((t) => t.say(long).finish());
  await log().locator("del", { hasText: "three" }).waitFor();
  assert.deepEqual((await log().locator("li.task").allInnerTexts()).map((s) => s.replace(/\s+/g, " ").trim()), ["☑ done: looked at the log", "☐ to do: asked Ada"]);
  assert.equal(await log().locator(".code .language").innerText(), "python");
  assert.equal(await log().getByRole("table").count(), 1);
  assert.deepEqual(await barriers(page), []);
});

test("code and answers are copied as they were written", async () => {
  await begin((t) => {
    t.say(long);
    t.tool("c1", "look", {}).done("x");
    t.say("Shall I begin?").finish();
  });
  await button("Copy code").click();
  await button("Copied").waitFor();
  assert.equal(await clipboard(), "for issue in issues:\n    print(issue.title)");
  await button("Copy answer").click();
  await page.locator("parley-chat .announcer", { hasText: "Copied" }).waitFor({ state: "attached" });
  assert.equal(await clipboard(), `${long}\n\nShall I begin?`);
  await button("Copy code").waitFor(); // it goes back to what it was
});

test("an answer can be asked for again, once it is complete, and only the last one", async () => {
  let n = 0;
  let more!: (text?: string) => unknown;
  await begin((t) => void (more = t.write(`Answer ${++n}`)));
  await sees("Answer 1");
  assert.equal(await button("Ask again").count(), 0);
  more();
  server.turns(await conversation()).at(-1)!.finish();
  await button("Ask again").click();
  await sees("Answer 2");
  more();
  server.turns(await conversation()).at(-1)!.finish();
  await button("Ask again").waitFor();
  assert.equal(await button("Ask again").count(), 1);
  const sent = server.seen.filter((r) => r.method === "POST").map((r) => (r.body?.["messages"] as { id: string; parts: { text: string }[] }[])[0]!);
  assert.deepEqual(sent.map((m) => m.parts[0]!.text), ["Begin", "Begin"]);
  // A message that the server knows already would be told of the old answer.
  assert.notEqual(sent[0]!.id, sent[1]!.id);
});

const conversation = () => page.locator("parley-chat").evaluate((c) => (c as unknown as { conversationId: string }).conversationId);

test("many calls are one line that opens", async () => {
  await begin((t) => {
    for (let i = 0; i < 20; i++) {
      const call = t.tool(`c${i}`, "tracker__get_issue", { id: i });
      t.title(`c${i}`, { title: "Get an issue", service: "tracker", serviceTitle: "Acme Tracker" });
      if (i === 7) call.fail("It is gone.");
      else call.done({ id: i });
    }
    t.say("All read.").finish();
  });
  await sees("All read.");
  const line = log().locator("summary:visible");
  assert.equal(await line.count(), 1);
  assert.equal((await line.innerText()).replace(/\s+/g, " ").trim(), "20 tool calls Get an issue 1 failed");
  await line.click();
  assert.equal(await log().locator("summary:visible").count(), 21);
  assert.deepEqual(await barriers(page), []);
  await page.reload();
  await sees("All read.");
  assert.equal(await log().locator("summary:visible").count(), 1);
});

test("tools and services are shown by their titles, and a name of both is taken apart", async () => {
  const check = async () => {
    await sees("Done.");
    assert.deepEqual((await log().locator("summary").allInnerTexts()).map((s) => s.replace(/\s+/g, " ").trim()), ["Place an order Office Shop done", "look_up library done"]);
    await log().getByText("Place an order").click();
    await log().getByText("shop__order", { exact: true }).waitFor();
  };
  await begin((t) => {
    const order = t.tool("c1", "shop__order", { item: "pens" });
    t.title("c1", { title: "Place an order", service: "shop", serviceTitle: "Office Shop" });
    order.done("ordered");
    t.tool("c2", "library__look_up", {}).done("found");
    t.say("Done.").finish();
  });
  await check();
  await page.reload();
  await check();
});

test("a card is headed by the title of its service", async () => {
  await begin((t) => void t.ask(connect(server.url, { context: { trigger: "credential_required", service: "tracker", serviceTitle: "Acme Tracker", account: "alice" } })));
  await card().getByRole("heading", { name: "Connect Acme Tracker" }).waitFor();
});

test("a call that delegates waits for the person while the delegate asks", async () => {
  await begin(async (t) => {
    const call = t.tool("call-7", "delegate_to_researcher", { task: "tea" });
    await t.ask(form(small, { context: { trigger: "mcp_elicitation", service: "library", agent: "researcher", parentToolCallId: "call-7" } }));
    call.done("found");
    t.finish();
  });
  await card().getByLabel("Reason").waitFor();
  await sees("waits for you");
  assert.equal(await log().getByText("running", { exact: true }).count(), 0);
  server.settle("q-form", "decline", "chat");
  await sees("done");
});

test("a turn that failed says so in its place, after a reload too", async () => {
  let times = 0;
  await begin((t) => {
    t.say("Half an answer");
    if (++times === 1) t.fail("The model could not be reached. Try again in a moment.");
    else t.finish();
  });
  await page.getByRole("alert").getByText("The model could not be reached.").waitFor();
  assert.equal(await button("New conversation").count(), 1); // that of the head
  await page.reload();
  await log().getByText("The model could not be reached. Try again in a moment.").waitFor();
  assert.deepEqual(await barriers(page), []);
  await button("Try again").click();
  await button("Ask again").waitFor();
  assert.equal(await log().locator(".mark").count(), 1); // it stays where it was
  assert.equal(await button("Try again").count(), 0);
  assert.equal(times, 2);
});

test("a turn that only seemed to have failed is gone on with, and nothing is said twice", async () => {
  await begin((t) => void t.lose({ type: "error", errorText: "Something is wrong on our side." }));
  await page.getByRole("alert").getByText("Something is wrong on our side.").waitFor();
  await button("Try again").click();
  const turn = server.turns(await conversation()).at(-1)!;
  turn.say("Here it is.").finish();
  await sees("Here it is.");
  assert.equal(server.seen.filter((r) => r.method === "POST").length, 1);
});

test("where a conversation has become too long, a new one is offered", async () => {
  await begin((t, said) => (said === "Begin" ? t.fail("This conversation has become too long for the model. Start a new one.", "conversation_too_long") : t.say("Hello anew.").finish()));
  const mark = log().locator(".mark");
  await mark.getByText("Start a new one.").waitFor();
  assert.equal(await button("Try again").count(), 0);
  const before = await conversation();
  await mark.getByRole("button", { name: "New conversation" }).click();
  await page.getByText("Ask something to begin.").waitFor();
  assert.notEqual(await conversation(), before);
  await say("Again");
  await sees("Hello anew.");
});

test("a turn that was stopped says so, after a reload too", async () => {
  server.halt = (id) => server.turns(id).at(-1)!.stop();
  await begin((t) => void t.write("Half"));
  await sees("Half");
  await button("Stop").click();
  await log().getByText("You stopped this answer.").waitFor();
  assert.equal(await log().getByText("You stopped watching").count(), 0);
  await page.reload();
  await log().getByText("You stopped this answer.").waitFor();
  await sees("Half");
});

// waits begins a turn that asks, and then one that is answered at once.
async function waits(): Promise<void> {
  await begin((t, said) => (said === "Begin" ? t.ask(form()) : t.say("Hello to you.").finish()));
  await card().first().waitFor();
  await say("hello");
  await sees("Hello to you.");
}
const message = (text: string) => log().locator(".message.assistant").filter({ hasText: text });

test("an answer that is whole can be copied and asked again while an older question waits", async () => {
  await waits();
  const done = message("Hello to you.");
  await done.getByRole("button", { name: "Copy answer" }).waitFor();
  assert.equal(await log().getByRole("button", { name: "Copy answer" }).count(), 1); // the other is not whole
  await button("Copy answer").click();
  await button("Copied").waitFor();
  assert.equal(await clipboard(), "Hello to you.");
  await done.getByRole("button", { name: "Ask again" }).click();
  await message("Hello to you.").nth(1).waitFor();
  assert.deepEqual(await log().locator(".user .bubble").allInnerTexts(), ["Begin", "hello", "hello"]);
  assert.equal(server.turns(await conversation())[0]!.done, false); // it waits as before
});

test("Stop marks the turn that it stopped, not a whole answer after it", async () => {
  server.halt = (id) => {
    const [older] = server.turns(id);
    older!.settle("q-form", "cancel", "", undefined, { reason: "stopped" });
    older!.stop();
  };
  await waits();
  await button("Stop").click();
  const older = log().locator(".message.assistant").first();
  await older.getByText("You stopped this answer.").waitFor();
  await older.getByText("No longer asked.").first().waitFor();
  assert.equal(await log().getByText("You stopped").count(), 1);
  assert.equal(await button("Show the rest").count(), 0);
  await message("Hello to you.").getByRole("button", { name: "Ask again" }).waitFor();
});

test("a Stop that the server did not hear is said where the turn goes on, and the rest is shown there", async () => {
  server.refuse = (r) => (r.method === "DELETE" ? "hang up" : undefined);
  await waits();
  await button("Stop").click();
  const older = log().locator(".message.assistant").first();
  await older.getByText("You stopped watching this answer.").waitFor();
  assert.equal(await log().getByText("You stopped").count(), 1);
  await message("Hello to you.").getByRole("button", { name: "Copy answer" }).waitFor();
  server.turns(await conversation())[0]!.say("Booked.").finish();
  await older.getByRole("button", { name: "Show the rest" }).click();
  await older.getByText("Booked.").waitFor();
  assert.equal(await log().getByText("You stopped").count(), 0);
});

test("a turn that was stopped can be tried again at once", async () => {
  server.halt = (id) => server.turns(id).at(-1)!.stop();
  await begin((t) => void t.write("Half"));
  await sees("Half");
  await button("Stop").click();
  await log().locator(".mark").getByRole("button", { name: "Try again" }).click();
  await log().locator(".user .bubble").nth(1).waitFor();
});

const lasting = {
  type: "object",
  properties: {
    decision: { type: "string", oneOf: [{ const: "allow_once", title: "Allow once" }, { const: "always_allow", title: "Always allow" }, { const: "deny", title: "Deny" }] },
    until: { type: "string", title: "How long", oneOf: [{ const: "hour", title: "For an hour" }, { const: "day", title: "For a day" }] },
  },
  required: ["decision"],
};

for (const [decision, sentence] of [["Allow once", "You allowed it once."], ["Always allow", "You chose: Always allow · For an hour."], ["Deny", "You denied it."]] as const) {
  test(`after a reload a card says what was decided: ${decision}`, async () => {
    await begin(async (t) => {
      await t.ask(approval({ requestedSchema: lasting }));
      t.say("Going on.").finish();
    });
    if (decision === "Always allow") {
      await card().getByText("Limits for a permission that stays").click();
      await card().getByText("For an hour").click();
    }
    await button(decision).click();
    await sees("Going on.");
    await card().getByText(sentence, { exact: true }).first().waitFor();
    await page.reload();
    await sees("Going on.");
    await card().getByText(sentence, { exact: true }).first().waitFor();
  });
}

test("what was decided on another surface is said with where", async () => {
  await begin(async (t) => {
    await t.ask(approval());
    t.finish();
  });
  await button("Deny").waitFor();
  server.settle("q-approval", "accept", "page", { decision: "allow_once" });
  await card().getByText("You allowed it once on the hosted page.", { exact: true }).first().waitFor();
});

test("direction controls in a service's words are left out, and nothing is written as an escape", async () => {
  await begin((t) => void t.ask(form(small, { message: "Which \u202eelif\u202c do you mean, \u2067\u05e9\u05dc\u05d5\u05dd\u2069\u200f?" })));
  await card().getByText("Which elif do you mean, \u05e9\u05dc\u05d5\u05dd?", { exact: true }).waitFor();
  assert.equal(await card().getByText("\\u20").count(), 0);
});

test("no two buttons have the same name while a form waits", async () => {
  await begin((t) => void t.ask(form(small)));
  await button("Send answer").waitFor();
  const names = await page.getByRole("button").evaluateAll((all) => all.map((b) => b.getAttribute("aria-label") || b.textContent!.trim()));
  assert.deepEqual(names.filter((n, i) => names.indexOf(n) !== i), []);
});

test("fields whose names are numbers stay in the order of the server", async () => {
  const text = (title: string) => ({ type: "string", title });
  const schema = { type: "object", properties: { where: text("Where to"), 10: text("Ten"), 2: text("Two") }, required: ["where"] };
  await begin((t) => void t.ask(form(schema, { fieldOrder: ["where", "10", "2"] })));
  await page.getByLabel("Where to").waitFor();
  assert.deepEqual((await card().locator("label").allInnerTexts()).map((l) => l.split("\n")[0]!.replace(/\s*required.*/, "").trim()), ["Where to", "Ten", "Two"]);
});

for (const look of [
  { name: "desktop", colorScheme: "light", viewport: { width: 1280, height: 860 } },
  { name: "phone", colorScheme: "light", viewport: { width: 390, height: 780 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 860 } },
] as const) {
  test(`nothing in an answer keeps people out, ${look.name}`, async () => {
    await page.setViewportSize(look.viewport);
    await page.emulateMedia({ colorScheme: look.colorScheme });
    const shoot = async (name: string, agent: (t: Record, said: string) => unknown, ready: () => Promise<unknown>) => {
      await begin(agent);
      await ready();
      await picture(page, `answer-${name}-${look.name}`);
      assert.deepEqual(await barriers(page), [], name);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${name} is too wide`);
      await page.evaluate(() => (sessionStorage.clear(), localStorage.clear()));
    };
    const titles = { title: "Get an issue", service: "tracker", serviceTitle: "Acme Tracker" };
    await shoot("long", (t) => t.say(long).finish(), () => page.locator("parley-chat li.task").first().waitFor());
    await shoot("calls", (t) => {
      for (let i = 0; i < 20; i++) {
        const call = t.tool(`c${i}`, "tracker__get_issue", { id: i });
        t.title(`c${i}`, titles);
        call.done({ id: i });
      }
      t.tool("c99", "shop__order", { item: "pens" }).done("ordered");
      t.say("I have read all twenty issues. Two of them are urgent.").finish();
    }, () => page.getByText("I have read all twenty").waitFor());
    await shoot("failed", (t) => {
      t.say("The first three reports are about");
      t.fail("The connection to the model broke off. Try again in a moment.");
    }, () => page.getByText("The connection to the model broke off.").waitFor());
    await shoot("approval", (t) => {
      t.tool("call-1", "tracker__create_issue", {});
      t.title("call-1", { ...titles, title: "Create an issue" });
      void t.ask(approval());
    }, () => page.getByRole("button", { name: "Deny" }).waitFor());
    await shoot("connect", (t) => void t.ask(connect(server.url, { context: { trigger: "credential_required", service: "tracker", serviceTitle: "Acme Tracker", account: "alice" } })),
      () => page.getByRole("button", { name: "Connect" }).waitFor());
    await shoot("form", (t) => void t.ask(form(small)), () => page.getByRole("button", { name: /^Send/ }).first().waitFor());
  });
}
