// Prints the styles of the app, which stand in its page and not in a shadow tree. scripts/build runs it.

import { cardStyles } from "./card-styles.js";
import { basics, buttonsAndFields } from "./styles.js";

const own = `
html { color-scheme: light dark; }
body { margin: 0; }
main { padding: 4px; }
[hidden] { display: none !important; }
`;

const shared = `${basics}${buttonsAndFields}${cardStyles}`
  .replace(/:host(?:\(([^)]*)\))?/g, "main$1")
  // The app names its colours itself.
  .replace(/var\(--parley-[\w-]+, (.*)\);/g, "$1;")
  // In the values of variables the minifier keeps every space.
  .replace(/(--_[\w-]+): (.*)/g, (_, name: string, value: string) => `${name}:${value.replaceAll(", ", ",")}`);

console.log(shared + own);
