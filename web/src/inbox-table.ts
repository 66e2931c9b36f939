// A table of the inbox. On a narrow screen each of its rows is a card, in which each cell says what it is.

import { css, html, nothing, type TemplateResult } from "lit";

export interface Cell {
  content: unknown;
  class?: string | undefined;
  dir?: "auto" | "ltr" | undefined;
}

// table has its roles in words: what is laid out otherwise than a table would not be one for who hears it.
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): TemplateResult {
  return html`<table role="table">
    <thead role="rowgroup">
      <tr role="row">${head.map((label) => html`<th role="columnheader" scope="col">${label}</th>`)}</tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((cells) => html`<tr role="row">${cells.map((cell, at) => cellTemplate(cell, head[at]!))}</tr>`)}
    </tbody>
  </table>`;
}

const cellTemplate = (cell: Cell, label: string) =>
  html`<td role="cell" data-label=${label} class=${cell.class || nothing} dir=${cell.dir ?? nothing}>${cell.content}</td>`;

export const tableStyles = css`
  table {
    inline-size: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: 0.5rem;
    border-block-end: 1px solid var(--_hair);
    text-align: start;
    vertical-align: top;
  }
  th {
    min-inline-size: 6.5rem;
  }
  td.words {
    white-space: pre-wrap;
  }
  .scrolls {
    overflow-x: auto;
  }
  .scrolls > table {
    min-inline-size: 38rem;
    font-size: 0.875rem;
    overflow-wrap: break-word; /* what is too wide scrolls */
  }
  @media (max-width: 48rem) {
    .scrolls > table {
      min-inline-size: 0;
      overflow-wrap: anywhere;
    }
    table,
    tbody,
    tr,
    td {
      display: block;
    }
    thead {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    tr {
      margin-block-end: 0.6rem;
      padding: 0.5rem 0.8rem;
      border: 1px solid var(--_hair);
      border-radius: var(--_radius-small);
      background: var(--_surface);
    }
    td {
      padding: 0.25rem 0;
      border: 0;
    }
    td:first-child {
      font-weight: 650;
    }
    td:not(:first-child)::before {
      content: attr(data-label);
      content: attr(data-label) / ""; /* the heading of the column is read out */
      display: block;
      color: var(--_muted);
      font-size: 0.8rem;
      white-space: normal;
    }
  }
`;
