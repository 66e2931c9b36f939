// In place of the package decode-named-character-reference, which sets innerHTML in browsers, where a page's policy may
// forbid it. The names that people write; the others stay as they are.

const named: { readonly [name: string]: string } = {
  amp: "&", apos: "'", bull: "•", cent: "¢", copy: "©", deg: "°", divide: "÷", euro: "€", frac12: "½", ge: "≥", gt: ">", hellip: "…",
  infin: "∞", laquo: "«", larr: "←", ldquo: "“", le: "≤", lsquo: "‘", lt: "<", mdash: "—", micro: "µ", middot: "·", minus: "−",
  nbsp: "\u00a0", ndash: "–", ne: "≠", para: "¶", plusmn: "±", pound: "£", quot: '"', raquo: "»", rarr: "→", rdquo: "”", reg: "®",
  rsquo: "’", sect: "§", times: "×", trade: "™", yen: "¥",
};

export function decodeNamedCharacterReference(name: string): string | false {
  return Object.hasOwn(named, name) ? named[name]! : false;
}
