// What both elements share: the theme and the look of controls.

import { css } from "lit";

// basics give every colour a name. A host changes them through the variables --parley-…, which docs/widget.md lists.
export const basics = css`
  :host {
    color-scheme: light dark;
    --_background: var(--parley-background, light-dark(#fff, #15171b));
    --_surface: var(--parley-surface, light-dark(#fff, #1e2127));
    --_sunken: var(--parley-sunken, light-dark(#f3f5f8, #272b33));
    --_bubble: var(--parley-bubble, light-dark(#e4edf9, #24374f));
    --_text: var(--parley-text, light-dark(#1a1d23, #eceef2));
    --_muted: var(--parley-muted, light-dark(#4b5261, #b3bac7));
    --_line: var(--parley-line, light-dark(#7f8796, #7d8594));
    --_hair: var(--parley-hair, light-dark(#dde1e8, #363b45));
    --_accent: var(--parley-accent, light-dark(#1d4f91, #9cc2f5));
    --_accent-text: var(--parley-accent-text, light-dark(#fff, #0e1826));
    --_danger: var(--parley-danger, light-dark(#a4161a, #ffa3a3));
    --_success: var(--parley-success, light-dark(#17633a, #8bdcaa));
    --_warning: var(--parley-warning, light-dark(#7a4a00, #f3c775));
    --_radius: var(--parley-radius, 0.875rem);
    --_radius-small: min(var(--_radius), 0.5rem);
    --_font: var(--parley-font, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif);
    --_mono: var(--parley-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace);
    font-family: var(--_font);
    font-size: var(--parley-font-size, 0.9375rem);
    line-height: 1.5;
    color: var(--_text);
    overflow-wrap: anywhere;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  p,
  h2,
  h3,
  pre,
  ul,
  ol,
  dl,
  dd,
  figure,
  blockquote {
    margin: 0;
  }
  code,
  pre {
    font-family: var(--_mono);
    font-size: 0.9em;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  svg {
    display: block;
    flex: none;
    inline-size: 1.25em;
    block-size: 1.25em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
`;

// theme is what all elements have: the basics, and what only they need.
export const theme = [
  basics,
  css`
    :host([hidden]) {
      display: none;
    }
    a {
      color: var(--_accent);
      text-underline-offset: 0.15em;
    }
    @media (prefers-reduced-motion: reduce) {
      *,
      *::before,
      *::after {
        animation: none !important;
        transition: none !important;
        scroll-behavior: auto !important;
      }
    }
  `,
];

// buttonsAndFields are what every card has. Below 1rem phones zoom in to what is typed into.
export const buttonsAndFields = css`
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5em;
    min-block-size: 2.625rem;
    padding: 0.45rem 1rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-small);
    background: var(--_surface);
    color: var(--_text);
    font: inherit;
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
  }
  button:hover,
  .button:hover {
    border-color: var(--_text);
    background: var(--_sunken);
  }
  .primary {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_accent-text);
  }
  .primary:hover {
    border-color: var(--_accent);
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  button[aria-disabled="true"] {
    cursor: default;
    opacity: 0.6;
  }
  .quiet,
  .quiet:hover {
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .quiet:hover {
    background: var(--_sunken);
    color: var(--_text);
  }
  input:not([type="checkbox"], [type="radio"]),
  select,
  textarea {
    inline-size: 100%;
    min-block-size: 2.625rem;
    padding: 0.5rem 0.7rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-small);
    background: var(--_background);
    color: inherit;
    font: inherit;
  }
  @media (pointer: coarse) {
    input:not([type="checkbox"], [type="radio"]),
    select,
    textarea {
      font-size: max(1rem, 1em);
    }
  }
`;

// controls are all that the elements have.
export const controls = [
  buttonsAndFields,
  css`
    button,
    .button {
      transition:
        background-color 0.12s,
        border-color 0.12s,
        filter 0.12s;
    }
    .link,
    .link:hover {
      display: inline;
      min-block-size: 0;
      padding: 0;
      border: 0;
      background: none;
      color: var(--_accent);
      font-weight: 500;
      text-decoration: underline;
      text-underline-offset: 0.15em;
    }
  `,
];
