import assert from "node:assert/strict";
import { test } from "node:test";
import { parseInline, parseMarkdown } from "../../src/markdown.js";

const text = (t: string) => ({ kind: "text", text: t });

test("paragraphs, headings, quotes and rules", () => {
  assert.deepEqual(parseMarkdown("# Title #\n\none\ntwo\n\n> said\n> so\n\n---"), [
    { kind: "heading", content: [text("Title")] },
    { kind: "paragraph", content: [text("one"), { kind: "break" }, text("two")] },
    { kind: "quote", content: [text("said"), { kind: "break" }, text("so")] },
    { kind: "rule" },
  ]);
});

test("code keeps its lines, also before its end has come", () => {
  assert.deepEqual(parseMarkdown("```go\na *b* <c>\n\n  d\n```\nafter"), [
    { kind: "code", language: "go", text: "a *b* <c>\n\n  d" },
    { kind: "paragraph", content: [text("after")] },
  ]);
  assert.deepEqual(parseMarkdown("```\nhalf"), [{ kind: "code", language: "", text: "half" }]);
  assert.deepEqual(parseMarkdown("````\n```\n````"), [{ kind: "code", language: "", text: "```" }]);
});

test("lists nest, and numbers start where they say", () => {
  assert.deepEqual(parseMarkdown("3. a\n   more\n4. b\n   - c\n   - d\n\n5. e"), [
    {
      kind: "list",
      start: 3,
      items: [
        { content: [text("a"), { kind: "break" }, text("more")], blocks: [] },
        {
          content: [text("b")],
          blocks: [{ kind: "list", start: undefined, items: [{ content: [text("c")], blocks: [] }, { content: [text("d")], blocks: [] }] }],
        },
        { content: [text("e")], blocks: [] },
      ],
    },
  ]);
});

test("inline marks need their other half", () => {
  assert.deepEqual(parseInline("**b** *e* _e_ `c*` 2*3*4 a_b_c \\*x*"), [
    { kind: "strong", content: [text("b")] },
    text(" "),
    { kind: "emphasis", content: [text("e")] },
    text(" "),
    { kind: "emphasis", content: [text("e")] },
    text(" "),
    { kind: "code", text: "c*" },
    text(" 2"),
    { kind: "emphasis", content: [text("3")] },
    text("4 a_b_c "),
    text("*"),
    text("x*"),
  ]);
  assert.deepEqual(parseInline("**half"), [text("**half")]);
});

test("only addresses of the web become links", () => {
  assert.deepEqual(parseInline("[a](https://x.example/p(1)) <http://y.example>"), [
    { kind: "link", href: "https://x.example/p(1)", content: [text("a")] },
    text(" "),
    { kind: "link", href: "http://y.example/", content: [text("http://y.example")] },
  ]);
  assert.deepEqual(parseInline("see https://x.example/a."), [text("see "), { kind: "link", href: "https://x.example/a", content: [text("https://x.example/a")] }, text(".")]);
  for (const bad of ["[a](javascript:alert(1))", "[a](data:text/html,x)", "[a](/local)", "[a](JaVaScRiPt:x)", "[a](vbscript:x)", "javascript:x"]) {
    assert.ok(!JSON.stringify(parseInline(bad)).includes('"link"'), bad);
  }
});

test("a picture is only a link", () => {
  assert.deepEqual(parseInline("![chart](https://x.example/c.png)"), [{ kind: "link", href: "https://x.example/c.png", content: [text("chart")] }]);
});

test("a text that names one address does not lead to another", () => {
  const shown = (source: string) => {
    const [node] = parseInline(source);
    return node?.kind === "link" ? node.content : undefined;
  };
  assert.deepEqual(shown("[https://bank.example](https://evil.example/x)"), [text("https://evil.example/x")]);
  assert.deepEqual(shown("[www.bank.example](https://evil.example/x)"), [text("https://evil.example/x")]);
  assert.deepEqual(shown("[https://bank.example/in](https://bank.example/in?a=b)"), [text("https://bank.example/in")]);
});

test("HTML is text", () => {
  assert.deepEqual(parseMarkdown("<img src=x onerror=alert(1)> &amp;"), [{ kind: "paragraph", content: [text("<img src=x onerror=alert(1)> &amp;")] }]);
});

test("the work grows with the text and not with its square", () => {
  // With the square these would run into the time-out of the whole test.
  for (const unit of ["*", "**a ", "[", "`", "_a ", "[a](", "> ", "- a\n", "\\", "![a](b", "https://", "  \n", "1. a\n ", "``a ` "]) {
    const source = unit.repeat(100_000 / unit.length);
    assert.ok(parseMarkdown(source).length <= source.length);
  }
});
