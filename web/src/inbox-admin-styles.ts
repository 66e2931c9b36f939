// How the parts for administrators look, beyond what all of the inbox has.

import { css } from "lit";

export const adminStyles = css`
  form.filter {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: end;
    margin-block-end: 1rem;
  }
  .meta + form.filter {
    margin-block-start: 0.8rem;
  }
  form.filter label,
  .field {
    display: grid;
    gap: 0.2rem;
    flex: 1 1 11rem;
    max-inline-size: 22rem;
    font-size: 0.85rem;
    color: var(--_muted);
  }
  form.filter label.long {
    flex: 1 1 100%;
    max-inline-size: 46rem;
  }
  form.filter :is(input, select),
  .field :is(input, select, textarea) {
    color: var(--_text);
    font-size: 0.9375rem;
  }
  h3 {
    margin-block: 1.5rem 0.6rem;
    font-size: 1rem;
  }
  details > summary {
    padding-block: 0.4rem;
    cursor: pointer;
    color: var(--_accent);
  }
  .checks {
    display: grid;
    gap: 0.5rem;
    margin: 0.4rem 0;
    padding: 0;
    list-style: none;
  }
  .checks li {
    display: grid;
    grid-template-columns: 1.6rem minmax(0, 1fr);
  }
  .mark {
    font-weight: 700;
  }
  .notice {
    margin-block-end: 0.75rem;
  }
  .wide {
    flex: 1 1 100%;
    min-inline-size: 0;
  }
  .side {
    text-align: end;
  }
  @media (max-width: 30rem) {
    .side {
      text-align: start;
    }
  }
  code {
    padding: 0.05em 0.35em;
    border-radius: 0.3em;
    background: var(--_sunken);
  }
  .things + .meta,
  h3 + .meta {
    margin-block: 0.4rem 0.8rem;
  }
`;
