import { css } from "lit";
import { cardStyles } from "./card-styles.js";

// The looks of <parley-question>.
export const questionStyles = [
  cardStyles,
  css`
    .card {
      box-shadow: 0 1px 2px light-dark(rgb(20 30 50 / 6%), transparent), 0 6px 20px light-dark(rgb(20 30 50 / 7%), transparent);
    }
    .card.open {
      animation: arrive 0.22s ease-out;
    }
    @keyframes arrive {
      from {
        opacity: 0;
      }
    }
    .warn {
      color: var(--_warning);
    }
    .message:has(.whole) {
      padding: 0;
      background: none;
    }
    .from {
      display: block;
      margin-block-end: 0.1rem;
      color: var(--_muted);
      font-size: 0.8125rem;
    }
    .address {
      display: block;
      color: var(--_muted);
      direction: ltr;
      text-align: start;
      word-break: break-all;
    }
    .address strong {
      color: var(--_text);
      font-size: 1.08em;
      font-weight: 700;
    }
    .account {
      color: var(--_muted);
      font-size: 0.8125rem;
    }
    .account bdi {
      color: var(--_text);
      font-weight: 600;
    }
    .panel ul {
      display: grid;
      gap: 0.35rem;
      list-style: none;
      margin: 0.4rem 0 0;
      padding: 0;
    }
    .panel p {
      margin: 0;
    }
    .panel li {
      align-items: center;
      display: flex;
      flex-wrap: wrap;
      gap: 0.4rem;
    }
    .panel li svg {
      flex: none;
      height: 1rem;
      width: 1rem;
    }
    .panel li bdi {
      font-weight: 600;
      overflow-wrap: anywhere;
    }
    .panel li.good svg {
      color: var(--_success);
    }
    .panel li.bad svg {
      color: var(--_danger);
    }
  `,
];
