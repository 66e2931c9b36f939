import assert from "node:assert/strict";
import { test } from "node:test";
import { Growing } from "../../src/growing.js";
import type { Block, Inline } from "../../src/markdown.js";
import { work } from "../../src/syntax.js";

const text = (t: string) => ({ kind: "text", text: t });
const blocks = (source: string): Block[] => new Growing().take(source, true).flat();
const inlines = (source: string): Inline[] => {
  const [first, ...others] = blocks(source);
  assert.deepEqual(others, []);
  assert.equal(first?.kind, "paragraph");
  return first?.kind === "paragraph" ? first.content : [];
};

test("paragraphs, headings, quotes and rules", () => {
  assert.deepEqual(blocks("## Title #\n\none\ntwo\n\n> said\n> so\n>\n> > deeper\n\n---"), [
    { kind: "heading", level: 2, content: [text("Title")] },
    { kind: "paragraph", content: [text("one"), { kind: "break" }, text("two")] },
    {
      kind: "quote",
      blocks: [
        { kind: "paragraph", content: [text("said"), { kind: "break" }, text("so")] },
        { kind: "quote", blocks: [{ kind: "paragraph", content: [text("deeper")] }] },
      ],
    },
    { kind: "rule" },
  ]);
});

test("code keeps its lines, also before its end has come", () => {
  assert.deepEqual(blocks("```go\na *b* <c>\n\n  d\n```\nafter"), [
    { kind: "code", language: "go", text: "a *b* <c>\n\n  d" },
    { kind: "paragraph", content: [text("after")] },
  ]);
  assert.deepEqual(blocks("```\nhalf"), [{ kind: "code", language: "", text: "half" }]);
  assert.deepEqual(blocks("````\n```\n````"), [{ kind: "code", language: "", text: "```" }]);
  assert.deepEqual(blocks("~~~ py x\n```\n\n~~~~\n"), [{ kind: "code", language: "py", text: "```\n" }]);
  assert.deepEqual(blocks("  ```\n    a\n b\n  ```"), [{ kind: "code", language: "", text: "  a\nb" }]);
  assert.deepEqual(blocks("- a\n  ```sh\n  ls\n  ```"), [
    { kind: "list", start: undefined, items: [{ content: [text("a")], blocks: [{ kind: "code", language: "sh", text: "ls" }] }] },
  ]);
});

test("lists nest, numbers start where they say, and tasks are done or not", () => {
  const item = (content: string, ...inner: Block[]) => ({ content: [text(content)], blocks: inner });
  assert.deepEqual(blocks("3. a\n4. b\n   - c\n   - d\n\n5. e"), [
    { kind: "list", start: 3, items: [item("a"), item("b", { kind: "list", start: undefined, items: [item("c"), item("d")] } as Block), item("e")] },
  ]);
  assert.deepEqual(blocks("- [x] done\n- [ ] open"), [
    { kind: "list", start: undefined, items: [{ checked: true, ...item("done") }, { checked: false, ...item("open") }] },
  ]);
});

test("tables have a head, and their columns a side", () => {
  assert.deepEqual(blocks("| item | price |\n|:--|--:|\n| `a\\|b` | **1** |\n| only |"), [
    {
      kind: "table",
      align: ["left", "right"],
      rows: [
        [[text("item")], [text("price")]],
        [[{ kind: "code", text: "a|b" }], [{ kind: "strong", content: [text("1")] }]],
        [[text("only")]],
      ],
    },
  ]);
});

test("inline marks need their other half", () => {
  assert.deepEqual(inlines("**b** *e* _e_ `c*` ~~d~~ 2*3*4 a_b_c \\*x* ~5"), [
    { kind: "strong", content: [text("b")] },
    text(" "),
    { kind: "emphasis", content: [text("e")] },
    text(" "),
    { kind: "emphasis", content: [text("e")] },
    text(" "),
    { kind: "code", text: "c*" },
    text(" "),
    { kind: "deleted", content: [text("d")] },
    text(" 2"),
    { kind: "emphasis", content: [text("3")] },
    text("4 a_b_c *x* ~5"),
  ]);
  assert.deepEqual(inlines("**half"), [text("**half")]);
});

test("only addresses of the web and of mail become links", () => {
  assert.deepEqual(inlines("[a](https://x.example/p(1)) <http://y.example> [m](mailto:a@b.example)"), [
    { kind: "link", href: "https://x.example/p(1)", content: [text("a")] },
    text(" "),
    { kind: "link", href: "http://y.example/", content: [text("http://y.example")] },
    text(" "),
    { kind: "link", href: "mailto:a@b.example", content: [text("m")] },
  ]);
  assert.deepEqual(inlines("see https://x.example/a."), [text("see "), { kind: "link", href: "https://x.example/a", content: [text("https://x.example/a")] }, text(".")]);
  assert.deepEqual(inlines("www.x.example"), [{ kind: "link", href: "http://www.x.example/", content: [text("www.x.example")] }]);
  for (const bad of [
    "[a](javascript:alert(1))", "[a](data:text/html,x)", "[a](/local)", "[a](JaVaScRiPt:x)", "[a](vbscript:x)", "javascript:x", "<javascript:x>",
    "[a](java&#x73;cript:x)", "[a](\\javascript:x)", "[a]( javascript:x)", "[a](<java\tscript:x>)", "[a][b]\n\n[b]: javascript:x", "<a@b.example>x",
  ]) {
    assert.ok(!/"href":"(?!mailto:)/.test(JSON.stringify(blocks(bad))), bad);
  }
  assert.deepEqual(inlines("[a](javascript:alert(1))"), [text("[a](javascript:alert(1))")]);
});

test("a picture is only a link", () => {
  const chart = { kind: "link", href: "https://x.example/c.png", content: [text("chart")] };
  assert.deepEqual(inlines("![chart](https://x.example/c.png)"), [chart]);
  assert.deepEqual(inlines("see ![chart](https://x.example/c.png)!"), [text("see "), chart, text("!")]);
  assert.deepEqual(inlines("![](https://x.example/c.png)"), [{ ...chart, content: [text("https://x.example/c.png")] }]);
  assert.deepEqual(inlines("\\![chart](https://x.example/c.png)"), [text("!"), chart]);
  assert.deepEqual(inlines("\\\\![chart](https://x.example/c.png)"), [text("\\"), chart]);
});

test("a text that names one address does not lead to another", () => {
  const shown = (source: string) => {
    const [node] = inlines(source);
    return node?.kind === "link" ? node.content : undefined;
  };
  assert.deepEqual(shown("[https://bank.example](https://evil.example/x)"), [text("https://evil.example/x")]);
  assert.deepEqual(shown("[www.bank.example](https://evil.example/x)"), [text("https://evil.example/x")]);
  assert.deepEqual(shown("[**https://bank**.example](https://evil.example/x)"), [text("https://evil.example/x")]);
  assert.deepEqual(shown("[https://bank.example](mailto:a@evil.example)"), [text("mailto:a@evil.example")]);
  assert.deepEqual(shown("[https://bank.example/in](https://bank.example/in?a=b)"), [text("https://bank.example/in")]);
});

test("HTML is text, and names of characters are characters", () => {
  assert.deepEqual(inlines("<img src=x onerror=alert(1)> &amp; &nosuch; &#65; <!-- x -->"), [text("<img src=x onerror=alert(1)> & &nosuch; A <!-- x -->")]);
  assert.deepEqual(inlines("<script>\nalert(1)\n</script>"), [text("<script>"), { kind: "break" }, text("alert(1)"), { kind: "break" }, text("</script>")]);
});

const reply = [
  "# Report", "", "Some **bold** text", "over two lines.", "", "- one", "- two", "", "  more of two", "  - inner", "", "1. first", "2. second", "",
  "```js", "const a = 1;", "", "```", "#hash is no heading", "***bold* text**", "", "> quoted", "> lines", "", "| a | b |", "|---|---|", "| 1 | 2 |", "",
  "a setext", "---", "last",
].join("\n");

test("a text that grows ends as the same text does that came at once", () => {
  for (const step of [1, 3, 7, 50]) {
    const growing = new Growing();
    for (let end = step; end < reply.length; end += step) growing.take(reply.slice(0, end), false);
    assert.deepEqual(growing.take(reply, true).flat(), blocks(reply), `${step} at a time`);
  }
});

test("a text that grows shows all of what has come", () => {
  const growing = new Growing();
  const words = (found: unknown) => JSON.stringify(found, (_, v) => (v?.kind === "break" ? undefined : v)).match(/w\d+/g) ?? [];
  let source = "- list\n\n";
  for (let i = 0; i < 3_000; i++) {
    source += `${i % 40 === 0 ? "\n- " : " "}w${i}`;
    if (i % 50 === 0) assert.equal(words(growing.take(source, false)).length, i + 1);
  }
  assert.equal(words(growing.take(source, true)).length, 3_000);
});

test("what is complete is neither read nor shown again", () => {
  const paragraph = "Some **bold** and *other* words of a [link](https://x.example/) and `code`.\n\n";
  const marks = (paragraphs: number) => {
    const growing = new Growing();
    const before = work.marks;
    const shown = new Set<unknown>();
    for (let source = "", i = 0; i < paragraphs; i++) {
      for (let at = 0; at < paragraph.length; at += 16) growing.take(source + paragraph.slice(0, at), false);
      source += paragraph;
      for (const batch of growing.take(source, false)) shown.add(batch);
    }
    return { marks: work.marks - before, shown: shown.size };
  };
  const [once, twice] = [marks(50), marks(100)];
  assert.ok(twice.marks <= 2.1 * once.marks, `${once.marks} marks, then ${twice.marks}`);
  assert.ok(twice.shown <= 2.1 * once.shown, `${once.shown} batches, then ${twice.shown}`);
});

// Each of these takes the square of its length or worse in some reader of Markdown, or as many calls in one another. With
// the square they would run into the time-out of the whole test.
const n = 100_000;
const hostile: { [name: string]: string } = {
  "spaces in a heading": "# " + " ".repeat(n) + "x\u2028x",
  "spaces before a closing sequence": "# a" + " #".repeat(n / 2) + " b",
  "nested quotes": ">".repeat(n),
  "nested lists": "- ".repeat(n / 2) + "a",
  "lists that go ever deeper": Array.from({ length: 440 }, (_, i) => "  ".repeat(i / 2) + "- a").join("\n"),
  "quotes that go ever deeper": Array.from({ length: 440 }, (_, i) => ">".repeat(i) + " a").join("\n"),
  "nested pictures": "![".repeat(n / 6) + "a" + "](b)".repeat(n / 6),
  "nested links": "[".repeat(n / 5) + "a" + "](b)".repeat(n / 5),
  "nested emphasis": "*_".repeat(n / 4) + "a" + "_*".repeat(n / 4),
  "emphasis as deep as its marks go": ("*a ".repeat(450) + "x" + " a*".repeat(450) + "\n\n").repeat(n / 10_000),
  "one line": "word ".repeat(n / 5),
  "a line without spaces": "a".repeat(n),
  "a long table": "|a|b|\n|-|-|\n" + "|x|y|\n".repeat(n / 30),
  "a wide table": "|a".repeat(n / 4) + "|\n" + "|-".repeat(n / 4) + "|\n",
  "an open fence": "```a\n" + "x y\n".repeat(n / 4),
  "a long underline": "a\n" + "=".repeat(n),
};
for (const unit of [
  "*", "*a **a ", "**a ", "a**b", "_a ", "*_", "~", "~~a ~b ", "[", "]", "[a](", "[a](<b", '[a](b "', "[a][", "![", "![a](b", "`", "``a ` ", "<", "<a", "<a@b.", "<https:",
  "&", "&amp;", "&#x20;", "\\", "\\\n", "https://", "www.a.", "a@b.c ", "> ", "- a\n", "1. a\n ", "- [ ] a\n", "  \n", "a\n", "a\n-\n", "a\n\n", "# a\n", "***\n", "```\n", "~~~\n\n",
  "|", "|a\n", "|a|\n|-|\n", "-", "-\n", "=", "\t", "    a\n\n", "\r", "\n", "\u2028", "\u0000", "é", "😀",
]) {
  // Each line costs something, so there are fewer of those.
  hostile[JSON.stringify(unit)] = unit.repeat((unit.includes("\n") ? n / 5 : n) / unit.length);
}

function depth(found: unknown): number {
  if (typeof found !== "object" || found === null) return 0;
  return 1 + Math.max(0, ...Object.values(found).map(depth));
}

for (const [name, source] of Object.entries(hostile)) {
  test(`no text takes long or goes deep: ${name}`, () => {
    const found = blocks(source);
    assert.ok(depth(found) < 250, `${depth(found)} levels`);
    assert.ok(JSON.stringify(found).length < 40 * n);
  });
}

test("containers begin in the first columns of a line", () => {
  let [found] = blocks("> ".repeat(36) + "a");
  let levels = 0;
  for (; found?.kind === "quote"; levels++) [found] = found.blocks;
  assert.equal(levels, 32);
  assert.deepEqual(found, { kind: "paragraph", content: [text("> > > > a")] });
});

test("a text of many blocks is none of them cut", () => {
  const unit = "para one\nline two\n\n> q\n> r\n\n1. x\n2. y\n   - z\n\n# H\n\n| a |\n|---|\n| b |\n\n```\ncode\n\n```\n\n";
  assert.deepEqual(blocks(unit.repeat(300)), Array.from({ length: 300 }, () => blocks(unit)).flat());
});

test("a table of more cells than anybody reads stays text", () => {
  const table = (columns: number) => ["a", "-", "b"].map((cell) => `|${cell}`.repeat(columns) + "|\n").join("");
  assert.deepEqual(blocks(table(600)).map((b) => b.kind), ["table"]);
  assert.deepEqual(blocks(table(700)).map((b) => b.kind), ["paragraph"]);
});

test("a long block that grows is not read again for every piece", () => {
  const growing = new Growing();
  const [item, items] = ["- *a*\n", 1_500];
  const before = work.marks;
  for (let i = 1; i <= items; i++) growing.take(item.repeat(i), false);
  // Twice as many marks as items. Read again each time this would be more than two million.
  assert.ok(work.marks - before < 500_000, `${work.marks - before} marks`);
});

test("marks beyond those of any prose stay text", () => {
  const before = work.marks;
  const found = inlines("*a* ".repeat(2_000));
  assert.ok(work.marks - before <= 3 * 1_000, `${work.marks - before} marks`);
  assert.equal(found[0]!.kind, "emphasis");
  assert.deepEqual(found.at(-1)!.kind, "text");
});
