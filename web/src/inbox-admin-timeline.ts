// <parley-run-timeline>: a run as a picture: when the model thought, what was called, and who was waited for. The same is in a
// table below it, for whoever does not see the picture.

import { css, html, LitElement, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { adminStyles } from "./inbox-admin-styles.js";
import { inboxStyles } from "./inbox-styles.js";
import { table, tableStyles } from "./inbox-table.js";
import { cameFrom, heard, lasted, long, place, scale, type Run, type Span, type Stay } from "./inbox-admin-runs-wire.js";
import { when } from "./inbox-words.js";
import { controls, theme } from "./styles.js";

const row = 40;
const bar = 12;
const edge = 6; // left and right of the bars

export class RunTimeline extends LitElement {
  static override styles = [
    theme,
    controls,
    inboxStyles,
    adminStyles,
    tableStyles,
    css`
      svg {
        inline-size: 100%;
        block-size: auto;
        margin-block: 0.4rem;
        stroke: none;
      }
      text {
        fill: var(--_text);
        font: 12.5px var(--_font, sans-serif);
      }
      .lane {
        fill: var(--_sunken);
      }
      .model {
        fill: var(--_muted);
      }
      .call {
        fill: var(--_accent);
      }
      .call.failed,
      .call.refused {
        fill: var(--_danger);
      }
      .wait {
        fill: url(#stripes);
        stroke: var(--_text);
        stroke-width: 1;
      }
      .stripe {
        stroke: var(--_text);
        stroke-width: 2;
      }
      .said {
        fill: var(--_surface);
        stroke: var(--_success);
        stroke-width: 3;
      }
      .said.no {
        stroke: var(--_danger);
      }
      .move {
        stroke: var(--_text);
        stroke-width: 1.5;
        stroke-dasharray: 5 3;
      }
      .stays {
        margin: 0.3rem 0;
        padding: 0;
        list-style: none;
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 1rem;
      }
      .legend svg {
        display: inline-block;
        inline-size: 1.4rem;
        block-size: 0.75rem;
        margin: 0 0.3rem 0 0;
        vertical-align: -1px;
      }
    `,
  ];
  static override properties = { run: { attribute: false }, _width: { state: true } };
  declare run: Run;
  declare _width: number;

  #size: ResizeObserver | undefined;

  constructor() {
    super();
    this._width = 640;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#size = new ResizeObserver(([entry]) => {
      const width = Math.round(entry!.contentRect.width);
      if (width > 0) this._width = width;
    });
    this.#size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size?.disconnect();
  }

  protected override render(): TemplateResult {
    const { spans, stays, count, trace, traceURL } = this.run;
    if (spans.length === 0) return html`<p class="muted">Nothing has happened in it yet.</p>`;
    const drawn = spans.filter((s) => s.from !== undefined);
    return html`${drawn.length > 0 ? this.#picture(drawn) : html`<p class="muted">When things happened was not kept yet when this ran.</p>`}
      ${stays.length > 0 ? staysList(stays) : nothing}
      <details>
        <summary>The same as a table</summary>
        <div class="scrolls" tabindex="0" role="region" aria-label="What the run was spent on">${spansTable(spans)}</div>
      </details>
      ${count > spans.length ? html`<p class="meta">These are the first ${spans.length} of ${count}.</p>` : nothing}
      ${trace ? html`<p class="meta">Trace ${traceURL ? html`<a href=${traceURL} target="_blank" rel="noopener noreferrer"><code>${trace}</code></a>` : html`<code>${trace}</code>`}</p>` : nothing}`;
  }

  #picture(spans: readonly Span[]): TemplateResult {
    const { at, total } = scale(this.run, spans);
    const width = this._width;
    const x = (moment: number) => edge + (at(moment) / total) * (width - 2 * edge);
    const height = spans.length * row + 4;
    const waits = spans.filter((s) => s.kind === "wait").length;
    const calls = spans.filter((s) => s.kind === "call").length;
    return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Picture of the run: ${calls} calls, ${waits} waits for people, ${lasted(this.run.from, this.run.to)} in all. The same is in the table below.">
        <defs>
          <pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="stripe" x1="0" y1="0" x2="0" y2="6"></line></pattern>
        </defs>
        ${spans.map((s, i) => this.#row(s, i * row, x, width))}
        ${this.run.stays.slice(1).map((s) => svg`<line class="move" x1=${x(s.from)} y1="0" x2=${x(s.from)} y2=${height}></line>`)}
      </svg>
      <p class="meta legend">
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="model" width="22" height="12"></rect></svg>the model</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="call" width="22" height="12"></rect></svg>a call</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="call failed" width="22" height="12"></rect></svg>failed or refused</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="wait" x="1" y="1" width="20" height="10"></rect></svg>a wait for people</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><circle class="said" cx="15" cy="6" r="4.5"></circle></svg>somebody answered</span>
        ${this.run.stays.length > 1 ? html`<span><svg viewBox="0 0 22 12" aria-hidden="true"><line class="move" x1="11" y1="0" x2="11" y2="12"></line></svg>it went on at another node</span>` : nothing}
        <span>Long times are drawn shorter than they were.</span>
      </p>`;
  }

  #row(s: Span, y: number, x: (moment: number) => number, width: number): SVGTemplateResult {
    const left = x(s.from!);
    const right = x(s.to ?? this.run.to);
    const length = Math.max(right - left, 3);
    const label = [place(s), heard(s), long(s, this.run)].filter((t) => t !== "").join(" · ");
    const most = Math.max(8, Math.floor((width - 2 * edge) / 6.6)); // characters that fit
    return svg`<text x=${edge} y=${y + 15} dir="auto">${label.length > most ? label.slice(0, most - 1) + "…" : label}</text>
      <rect class="lane" x=${edge} y=${y + 21} width=${width - 2 * edge} height=${bar} rx="3"></rect>
      <rect class="${s.kind} ${s.how ?? ""}" x=${Math.min(left, width - edge - 3)} y=${y + 21} width=${length} height=${bar} rx="3"></rect>
      ${s.words.map((w) => (w.at === undefined ? nothing : svg`<circle class="said ${w.yes ? "" : "no"}" cx=${x(w.at)} cy=${y + 21 + bar / 2} r="4.5"></circle>`))}`;
  }
}

const staysList = (stays: readonly Stay[]) =>
  html`<ol class="meta stays" aria-label="Where the run was">
    ${stays.map((s, i) => (i === 0 ? html`<li>Began at node <code>${s.node}</code></li>` : html`<li>Went on at node <code>${s.node}</code> ${cameFrom(s, stays[i - 1]!)}, ${exactly(s.from)}</li>`))}
  </ol>`;

const spansTable = (spans: readonly Span[]) =>
  table(
    ["What", "From", "To", "How long", "What came of it"],
    spans.map((s) => [
      { content: place(s), dir: "auto" },
      { content: exactly(s.from) },
      { content: s.pending ? "goes on" : exactly(s.to) },
      { content: s.from !== undefined && s.to !== undefined ? lasted(s.from, s.to) : "" },
      { content: heard(s), dir: "auto" },
    ]),
  );

const seconds = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

function exactly(at: number | undefined): string {
  if (at === undefined) return "not known";
  const date = new Date(at);
  return `${when(date.toISOString()).replace(/,? [^ ]+$/, "")}, ${seconds.format(date)}`;
}
