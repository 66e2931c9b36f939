// Approvals whose texts would be shown in another order than they have.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { launch, openTab, picture } from "../browser.js";
import { outOfOrder } from "../order.js";
import { approval } from "../questions.js";
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

const turned = {
  note: "שלום 100 50", "שלום": 1000, to: "אליס 7, בוב 8", at: "https://אבג.דהו/path", sum: "٥٠ ١٠٠ مبلغ", sign: "(א) -5%", list: ["א 1", "b ב 2"],
  hidden: "a\u202eb\u200b\u3164c\u00a0d\ufe0f\u2800e", whole: "שלום עולם",
};

// As permit writes it.
const message = 'Allow this call?\n\nService: bank\nArguments:\n{\n  "\\u05e9\\u05dc\\u05d5\\u05dd": 1000,\n  "note": "\\u05e9\\u05dc\\u05d5\\u05dd 100 50",\n  "back": "\\\\u05d0"\n}';

for (const dir of ["ltr", "rtl"]) {
  test(`an approval shows every value in the order of its characters, in a page from ${dir}`, async () => {
    const { page, problems } = await openTab(browser, { viewport: { width: 720, height: 900 } });
    await page.goto(server.url + server.page(`/order-${dir}`, "<main><h1>Card</h1><parley-question></parley-question><pre id=raw></pre></main>"));
    await page.evaluate((d) => (document.documentElement.dir = d), dir);
    await page.locator("parley-question").evaluate(
      (card, request) => Object.assign(card, { request }),
      approval({ message, context: { trigger: "tool_approval", service: "בנק", account: "אליס 1", tool: "send\u202e_שלח_2", arguments: JSON.stringify(turned) } }),
    );
    const shown = page.locator("parley-question .arguments");
    await shown.waitFor();
    await picture(page, `order-${dir}`);
    // What is measured is there: the same text without care is out of order.
    await page.locator("#raw").evaluate((raw, text) => (raw.textContent = text), JSON.stringify(turned, null, 2));
    assert.ok((await outOfOrder(page.locator("#raw"))).length > 5);
    assert.deepEqual(await outOfOrder(shown), []);
    const words = page.locator("parley-question .words");
    assert.deepEqual(await outOfOrder(words), []);
    assert.match(await words.innerText(), /"שלום": 1000,\n {2}"note": "שלום 100 50",\n {2}"back": "\\\\u05d0"/);
    const text = await shown.innerText();
    assert.match(text, /"hidden": "a\\u202eb\\u200b\\u3164c\\u00a0d\\ufe0f\\u2800e"/);
    assert.deepEqual(JSON.parse(text), turned);
    assert.equal(await page.locator("parley-question #title").innerText(), "\u2068בנק\u2069 needs your approval");
    assert.equal(await page.locator("parley-question dd code").first().innerText(), "send\\u202e_\\u05e9\\u05dc\\u05d7_2");
    assert.equal(await page.locator("parley-question .account bdi").innerText(), "\\u05d0\\u05dc\\u05d9\\u05e1 1");
    assert.deepEqual(problems, []);
    await page.context().close();
  });
}
