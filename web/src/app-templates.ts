// Stands for Lit in the app (scripts/build says so), which must be small: the same templates, drawn anew each time instead of
// being compared with what is there. As in Lit, only what stands in our own sources is ever parsed; values are put in as
// texts, properties and listeners.

type Template = { strings: readonly string[]; values: readonly unknown[]; svg: boolean };

const tag = (svg: boolean) => (strings: readonly string[], ...values: readonly unknown[]): Template => ({ strings, values, svg });

export const html = tag(false);
export const svg = tag(true);
export const nothing = Symbol();
export const css = (strings: readonly string[]): string => strings.join("");
// What is drawn anew holds what it is given.
export const live = (value: unknown): unknown => value;

export function render(value: unknown, container: Element): void {
  container.replaceChildren(...nodes(value));
}

function nodes(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodes);
  if (value === nothing || value === undefined || value === null) return [];
  return typeof value === "object" ? build(value as Template) : [new Text(String(value))];
}

// A hole in an element's start tag is named by its number; one between elements is a comment with it.
function build({ strings, values, svg }: Template): Node[] {
  let source = strings[0]!;
  values.forEach((_, i) => {
    const inTag = source.lastIndexOf("<") > source.lastIndexOf(">");
    source += (inTag ? `\u00a7${i}\u00a7` : `<!--${i}-->`) + strings[i + 1]!;
  });
  const template = document.createElement("template");
  template.innerHTML = svg ? `<svg>${source}</svg>` : source;
  const content = document.importNode(template.content, true);
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
  const found: Node[] = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  for (const node of found) {
    if (node instanceof Comment) node.replaceWith(...nodes(values[Number(node.data)]));
    else fill(node as Element, values);
  }
  return [...(svg ? content.firstChild! : content).childNodes];
}

function fill(element: Element, values: readonly unknown[]): void {
  for (const { name, value } of [...element.attributes]) {
    const parts = value.split("\u00a7");
    if (parts.length === 1) continue;
    const first = values[Number(parts[1])];
    if (name[0] === "@") element.addEventListener(name.slice(1), first as EventListener);
    else if (name[0] === ".") Reflect.set(element, name.slice(1), first);
    else if (first !== nothing) {
      element.setAttribute(name, parts.map((part, i) => (i % 2 ? String(values[Number(part)]) : part)).join(""));
      continue;
    }
    element.removeAttribute(name);
  }
}
