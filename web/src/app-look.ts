// How the app looks in its host: its theme, its colours, and how high it is.

import { object, text, type Json } from "./json.js";

// What hosts call their colours and letters, and what we call them.
const names = Object.entries({
  background: "background-primary",
  surface: "background-primary",
  sunken: "background-secondary",
  text: "text-primary",
  muted: "text-secondary",
  line: "border-primary",
  hair: "border-secondary",
  danger: "text-danger",
  success: "text-success",
  warning: "text-warning",
  radius: "border-radius-lg",
  font: "font-sans",
  mono: "font-mono",
});

export interface Look {
  stage: Element;
  spoken: Element;
  follow(context: Json | undefined): void;
  report(told: (size: { width: number; height: number }) => void): void;
}

export function look(): Look {
  const page = document.documentElement;
  const main = document.querySelector("main")!;
  const [stage, spoken] = [document.createElement("div"), document.createElement("div")];
  spoken.className = "hidden";
  spoken.role = "status";
  main.append(stage, spoken);
  return {
    stage,
    spoken,
    // follow takes what the host says of its looks; what it does not say stays.
    follow(context) {
      const theme = text(context?.["theme"]);
      if (theme === "light" || theme === "dark") {
        main.setAttribute("theme", theme);
        page.style.colorScheme = theme;
      }
      const given = object(object(context?.["styles"])?.["variables"]) ?? {};
      for (const [ours, theirs] of names) {
        const value = text(given[`--color-${theirs}`] ?? given[`--${theirs}`]);
        if (value) main.style.setProperty(`--_${ours}`, value);
      }
    },
    report(told) {
      let last = 0;
      new ResizeObserver(() => {
        const height = Math.ceil(page.getBoundingClientRect().height);
        if (height !== last) told({ width: innerWidth, height: (last = height) });
      }).observe(page);
    },
  };
}
