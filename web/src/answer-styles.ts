import { css } from "lit";

// What stands in and below an answer: code, marks, folded calls, and what can be done with it.
export const answerStyles = css`
  .code {
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    overflow: hidden;
  }
  .code .bar {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    padding-inline: 0.9rem 0.25rem;
    border-block-end: 1px solid var(--_hair);
    direction: ltr;
  }
  .language {
    min-inline-size: 0;
    overflow: hidden;
    color: var(--_muted);
    font-family: var(--_mono);
    font-size: 0.8125rem;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .code pre {
    border-radius: 0;
    background: none;
  }
  .code pre:focus-visible {
    outline-offset: -2px;
  }
  :is(.code, .actions) button {
    gap: 0.35rem;
    min-block-size: 2rem;
    padding: 0.2rem 0.6rem;
    font-size: 0.8125rem;
    font-weight: 450;
  }
  :is(.code, .actions) button svg {
    inline-size: 1.05rem;
    block-size: 1.05rem;
  }
  .after,
  [data-done] .before {
    display: none;
  }
  [data-done] .after {
    display: inline;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    margin-block-start: -0.4rem;
    margin-inline-start: -0.6rem;
  }
  .text li.task {
    list-style: none;
    margin-inline-start: -1.3rem;
  }
  .box {
    margin-inline-end: 0.4rem;
  }
  .text del {
    color: var(--_muted);
  }
  .mark {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem 0.55rem;
    padding: 0.4rem 0.5rem 0.4rem 0.75rem;
    border-inline-start: 3px solid currentColor;
    border-radius: var(--_radius-small);
    background: color-mix(in srgb, currentColor 8%, var(--_background));
    font-size: 0.9rem;
  }
  .mark.failed {
    color: var(--_danger);
  }
  .mark.stopped {
    color: var(--_muted);
  }
  .mark span {
    flex: 1 1 12rem;
    min-inline-size: 0;
  }
  .mark button {
    min-block-size: 2.1rem;
    padding: 0.2rem 0.75rem;
  }
  .service {
    color: var(--_muted);
    font-size: 0.8125rem;
    font-weight: 400;
  }
  .name > .service {
    display: inline-block;
    margin-inline-start: 0.35rem;
  }
  @container (max-width: 30rem) {
    .name > .service {
      display: block;
      margin: 0;
    }
  }
  .folded {
    display: grid;
    gap: 0.35rem;
    padding: 0.1rem 0.5rem 0.6rem;
  }
  .folded .tool summary {
    min-block-size: 2.1rem;
  }
  @media (forced-colors: active) {
    .code,
    .mark {
      border: 1px solid CanvasText;
    }
  }
`;
