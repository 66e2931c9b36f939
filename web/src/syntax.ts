// The Markdown that is read: CommonMark with GitHub's tables, strikethrough, task lists and bare addresses, by micromark. No
// HTML, no definitions. What its algorithms take more than linear time for is bounded here, so that no text makes a page hang.

import type { Root } from "mdast";
import { fromMarkdown, type CompileContext, type Extension as Compiler, type Options } from "mdast-util-from-markdown";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { attention, autolink, blockQuote, codeText, labelEnd, labelStartLink, list } from "micromark-core-commonmark";
import { gfmAutolinkLiteral } from "micromark-extension-gfm-autolink-literal";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import type { Construct, ConstructRecord, Extension, Token, TokenizeContext } from "micromark-util-types";

// Containers begin in the first columns of a line. Each takes a column at least, so this is also how deep they nest.
const lastColumn = 64;

// How many marks of a paragraph are looked at: those behind stay text. Pairing marks takes the square of their number.
const marks = 1_000;

// How many cells a table may have, by the bars in its text. Making a table takes the square of it.
const bars = 2_000;

// work counts the marks that were looked at, for tests.
export const work = { marks: 0 };

const looked = new WeakMap<TokenizeContext, number>();

// counted is a construct that is not tried any more when its paragraph has had its share.
function counted(construct: Construct): Construct {
  return {
    ...construct,
    name: `counted-${construct.name}`,
    tokenize(effects, ok, nok) {
      const n = looked.get(this) ?? 0;
      looked.set(this, n + 1);
      if (n >= marks) return nok;
      work.marks++;
      return construct.tokenize.call(this, effects, ok, nok);
    },
  };
}

function countedAll(text: ConstructRecord | undefined): ConstructRecord {
  return Object.fromEntries(Object.entries(text ?? {}).map(([code, found]) => [code, [found ?? []].flat().map(counted)]));
}

// A list goes on by trying its own construct again, so the limit has to be in that very object.
for (const container of [blockQuote, list]) {
  const { tokenize } = container;
  container.tokenize = function (effects, ok, nok) {
    return this.now().column > lastColumn ? nok : tokenize.call(this, effects, ok, nok);
  };
}

const strikethrough = gfmStrikethrough({ singleTilde: false });

const extensions: Extension[] = [
  { disable: { null: ["attention", "autolink", "codeText", "definition", "emailAutolink", "htmlFlow", "htmlText", "labelEnd", "labelStartImage", "labelStartLink"] } },
  // A picture is read as a link behind an exclamation mark: pictures nest, and every level would be read anew.
  { text: { 42: counted(attention), 60: counted(autolink), 91: counted(labelStartLink), 93: counted(labelEnd), 95: counted(attention), 96: counted(codeText) } },
  { ...strikethrough, text: countedAll(strikethrough.text) },
  { text: countedAll({ 72: bare(72), 87: bare(87), 104: bare(104), 119: bare(119) }) },
  gfmTaskListItem(),
];

// bare are the constructs of addresses without brackets that begin with a letter, without those of mail.
function bare(code: 72 | 87 | 104 | 119): Construct[] {
  return [gfmAutolinkLiteral().text?.[code] ?? []].flat().filter((c) => c.name !== "emailAutolink");
}

// The package for these also looks for addresses with patterns of its own, over the whole tree; this does not.
const bareAddresses: Compiler = {
  enter: {
    literalAutolink(token) {
      this.enter({ type: "link", title: null, url: "", children: [] }, token);
    },
    literalAutolinkHttp: beginAddress,
    literalAutolinkWww: beginAddress,
  },
  exit: {
    literalAutolink(token) {
      this.exit(token);
    },
    literalAutolinkHttp(token) {
      endAddress(this, token, "");
    },
    literalAutolinkWww(token) {
      endAddress(this, token, "http://");
    },
  },
};

function beginAddress(this: CompileContext, token: Token): void {
  this.config.enter["data"]!.call(this, token);
}

function endAddress(context: CompileContext, token: Token, scheme: string): void {
  context.config.exit["data"]!.call(context, token);
  const link = context.stack.at(-1);
  if (link?.type === "link") link.url = scheme + context.sliceSerialize(token);
}

const plain: Options = { extensions, mdastExtensions: [bareAddresses, gfmStrikethroughFromMarkdown(), gfmTaskListItemFromMarkdown()] };
const tables: Options = { extensions: [...extensions, gfmTable()], mdastExtensions: [...plain.mdastExtensions!, gfmTableFromMarkdown()] };

// parse reads a text of limited length. All nodes have their position in it.
export function parse(source: string): Root {
  return fromMarkdown(source, source.split("|", bars + 2).length > bars + 1 ? plain : tables);
}
