import { css } from "lit";

export const chatStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    block-size: 100%;
    min-block-size: 16rem;
    background: var(--_background);
    container-type: inline-size;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    padding: 0.6rem 0.75rem 0.6rem 1.25rem;
    border-block-end: 1px solid var(--_hair);
  }
  .head h2,
  .head .heading {
    flex: 1;
    min-inline-size: 0;
    font-size: 1.05em;
    font-weight: 650;
  }
  .log {
    position: relative;
    flex: 1;
    min-block-size: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    scrollbar-gutter: stable both-edges;
  }
  .log:focus-visible {
    outline-offset: -2px;
  }
  .column {
    display: grid;
    gap: 1.1rem;
    max-inline-size: 46rem;
    margin-inline: auto;
    padding: 1.25rem;
  }
  .column:has(.empty) {
    align-content: center;
    min-block-size: 100%;
  }
  .empty {
    color: var(--_muted);
    text-align: center;
    text-wrap: balance;
  }
  .suggestions {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.5rem;
    margin-block-start: 1rem;
  }
  .suggestions button {
    max-inline-size: 100%;
    font-weight: 450;
  }
  .message {
    display: grid;
    gap: 0.75rem;
    min-inline-size: 0;
  }
  .message > * {
    min-inline-size: 0;
  }
  .user {
    justify-items: end;
    gap: 0.2rem;
  }
  .bubble {
    max-inline-size: 85%;
    padding: 0.55rem 0.9rem;
    border-radius: var(--_radius);
    border-end-end-radius: 0.25rem;
    background: var(--_bubble);
    white-space: pre-wrap;
  }
  .user.sending .bubble {
    opacity: 0.75;
  }
  .unsent {
    color: var(--_danger);
    font-size: 0.8125rem;
    font-weight: 600;
  }
  .text {
    display: grid;
    gap: 0.65rem;
    min-inline-size: 0;
  }
  .text > * {
    min-inline-size: 0;
  }
  .text .heading {
    font-size: 1.08em;
    font-weight: 650;
  }
  .text ul,
  .text ol {
    padding-inline-start: 1.5rem;
  }
  .text li + li,
  .text li > :is(ul, ol) {
    margin-block-start: 0.25rem;
  }
  .text blockquote {
    padding-inline-start: 0.8rem;
    border-inline-start: 3px solid var(--_hair);
    color: var(--_muted);
  }
  .text blockquote > * + *,
  .text li > * + p {
    margin-block-start: 0.5rem;
  }
  .table {
    overflow-x: auto;
  }
  .table table {
    border-collapse: collapse;
  }
  .table :is(th, td) {
    padding: 0.3rem 0.6rem;
    border: 1px solid var(--_hair);
    text-align: start;
    vertical-align: top;
  }
  .table th {
    background: var(--_sunken);
    font-weight: 600;
  }
  .table .left {
    text-align: left;
  }
  .table .center {
    text-align: center;
  }
  .table .right {
    text-align: right;
  }
  .text hr {
    inline-size: 100%;
    border: 0;
    border-block-start: 1px solid var(--_hair);
  }
  .text :not(pre) > code {
    padding: 0.1em 0.3em;
    border-radius: 0.3em;
    background: var(--_sunken);
  }
  pre {
    padding: 0.7rem 0.9rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    overflow: auto;
    direction: ltr;
    text-align: left;
  }
  .tool-row {
    display: grid;
    gap: 0.4rem;
    min-inline-size: 0;
  }
  .progress {
    display: grid;
    gap: 0.2rem;
    padding-inline: 0.75rem;
    color: var(--_muted);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .progress progress {
    inline-size: 100%;
    block-size: 0.35rem;
    accent-color: var(--_accent);
  }
  .content {
    display: grid;
    gap: 0.4rem;
    margin: 0;
    padding-inline: 0.75rem;
    list-style: none;
    font-size: 0.9rem;
    overflow-wrap: anywhere;
  }
  .content img {
    display: block;
    max-inline-size: 100%;
    max-block-size: 24rem;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
  }
  .tool {
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    font-size: 0.9rem;
  }
  .tool summary {
    display: flex;
    align-items: center;
    gap: 0.55rem;
    min-block-size: 2.5rem;
    padding: 0.3rem 0.75rem;
    border-radius: inherit;
    color: var(--_muted);
    list-style: none;
    cursor: pointer;
  }
  .tool summary::-webkit-details-marker {
    display: none;
  }
  .tool summary:hover {
    background: var(--_sunken);
  }
  .name {
    flex: 1;
    min-inline-size: 0;
    color: var(--_text);
    font-weight: 500;
  }
  .state {
    display: inline-flex;
    align-items: center;
    gap: 0.35em;
    font-size: 0.8125rem;
    white-space: nowrap;
  }
  .state svg {
    inline-size: 1.1em;
    block-size: 1.1em;
  }
  .done .state {
    color: var(--_success);
  }
  .failed .state,
  .denied .state {
    color: var(--_danger);
  }
  .asking .state {
    color: var(--_warning);
  }
  .chevron svg {
    inline-size: 1em;
    block-size: 1em;
    transition: rotate 0.15s;
  }
  .tool[open] > summary .chevron svg {
    rotate: 90deg;
  }
  .call {
    display: grid;
    gap: 0.3rem;
    padding: 0.2rem 0.75rem 0.75rem;
  }
  .call > * {
    min-inline-size: 0;
  }
  .call pre {
    max-block-size: 16rem;
    margin-block-end: 0.4rem;
    white-space: pre-wrap;
  }
  .caption {
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .spinner {
    inline-size: 0.85em;
    block-size: 0.85em;
    border: 2px solid currentColor;
    border-inline-end-color: transparent;
    border-radius: 50%;
    animation: turn 0.9s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  .notice,
  .banner {
    display: flex;
    align-items: flex-start;
    gap: 0.55rem;
    font-size: 0.9rem;
  }
  .notice {
    color: var(--_warning);
  }
  .notice svg {
    margin-block-start: 0.1em;
  }
  .thinking,
  .quietly {
    color: var(--_muted);
    font-size: 0.9rem;
  }
  .thinking {
    display: flex;
    align-items: center;
    gap: 0.55rem;
  }
  .dots {
    display: inline-flex;
    gap: 0.25rem;
  }
  .dots i {
    inline-size: 0.4rem;
    block-size: 0.4rem;
    border-radius: 50%;
    background: currentColor;
    animation: pulse 1.2s infinite ease-in-out;
  }
  .dots i:nth-child(2) {
    animation-delay: 0.15s;
  }
  .dots i:nth-child(3) {
    animation-delay: 0.3s;
  }
  @keyframes pulse {
    0%,
    60%,
    100% {
      opacity: 0.35;
    }
    30% {
      opacity: 1;
    }
  }
  .foot {
    position: relative;
    inline-size: 100%;
    max-inline-size: 46rem;
    margin-inline: auto;
    padding: 0.25rem 1.25rem 1rem;
    padding-block-end: max(1rem, env(safe-area-inset-bottom));
  }
  .banner {
    align-items: center;
    flex-wrap: wrap;
    margin-block-end: 0.6rem;
    padding: 0.5rem 0.6rem 0.5rem 0.8rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    color: var(--_muted);
  }
  .banner span {
    flex: 1 1 12rem;
    min-inline-size: 0;
  }
  .banner button {
    min-block-size: 2.1rem;
    padding: 0.2rem 0.75rem;
  }
  .banner.failure {
    background: color-mix(in srgb, var(--_danger) 9%, var(--_background));
    color: var(--_danger);
  }
  .jump {
    position: absolute;
    inset-block-end: calc(100% + 0.25rem);
    inset-inline: 0;
    inline-size: fit-content;
    min-block-size: 2.25rem;
    margin-inline: auto;
    padding: 0.25rem 0.9rem;
    border-radius: 99px;
    box-shadow: 0 2px 10px rgb(0 0 0 / 18%);
    font-size: 0.875rem;
    z-index: 1;
  }
  .jump.asks {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_accent-text);
  }
  .composer {
    display: flex;
    align-items: flex-end;
    gap: 0.4rem;
    padding: 0.35rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .composer:focus-within {
    border-color: var(--_accent);
    outline: 1px solid var(--_accent);
  }
  .composer textarea {
    flex: 1;
    min-inline-size: 0;
    min-block-size: 2.5rem;
    max-block-size: 12rem;
    padding: 0.5rem 0.65rem;
    border: 0;
    background: none;
    outline: none;
    resize: none;
    field-sizing: content;
  }
  .composer textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .round {
    flex: none;
    inline-size: 2.5rem;
    min-block-size: 2.5rem;
    padding: 0;
    border-radius: min(var(--_radius), 0.65rem);
  }
  .round[aria-disabled="true"] {
    border-color: transparent;
    background: var(--_sunken);
    color: var(--_muted);
    opacity: 1;
  }
  @container (max-width: 30rem) {
    .column {
      padding: 0.9rem;
    }
    .foot {
      padding-inline: 0.75rem;
    }
    .bubble {
      max-inline-size: 92%;
    }
  }
  @media (forced-colors: active) {
    .bubble,
    pre,
    .banner {
      border: 1px solid CanvasText;
    }
  }
`;
