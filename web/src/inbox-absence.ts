// When the person is away: their deputy is asked too then.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { ask, Said } from "./inbox-api.js";
import { change, type Reach } from "./inbox-notifications.js";
import { noteAt, type Note } from "./inbox-note.js";
import { inboxStyles } from "./inbox-styles.js";
import { line } from "./legible.js";
import { controls, theme } from "./styles.js";

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });

// lastDay is the last day of an absence that ends at a moment.
const lastDay = (until: string) => new Date(new Date(until).valueOf() - 1);

// local is a day as a field for dates has it.
function local(date: Date): string {
  return [String(date.getFullYear()).padStart(4, "0"), String(date.getMonth() + 1).padStart(2, "0"), String(date.getDate()).padStart(2, "0")].join("-");
}

// midnight is when a day begins here, so many days later.
export function midnight(field: string, later = 0): Date {
  const [year, month, date] = field.split("-").map(Number);
  return new Date(year ?? NaN, (month ?? NaN) - 1, (date ?? NaN) + later);
}

export class InboxAbsence extends LitElement {
  static override styles = [
    theme,
    controls,
    inboxStyles,
    css`
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 0.6rem 1rem;
        align-items: end;
      }
      label {
        display: grid;
        gap: 0.25rem;
        flex: 0 1 12rem;
        font-weight: 600;
      }
    `,
  ];
  static override properties = { reach: {}, note: {} };
  declare reach: Reach;
  declare note: Note | undefined;

  protected override render(): TemplateResult {
    const { absence, deputy } = this.reach;
    const wrong = this.note?.bad === true;
    const described = wrong ? "note-away" : nothing;
    return html`<section aria-labelledby="away">
      <h3 id="away">When you are away</h3>
      <p class="meta">
        ${deputy
          ? html`While you are away, what needs your approval is also asked of your deputy, <bdi>${line(deputy)}</bdi>.`
          : "You have no deputy: what needs your approval waits for you, and for whom its rule names next."}
        Only the configuration of the server names deputies.
      </p>
      ${absence ? this.#away(absence) : nothing}
      <form @submit=${this.#leave}>
        <label>First day <input type="date" name="from" required aria-invalid=${wrong} aria-describedby=${described} .value=${absence ? local(new Date(absence.from)) : ""} /></label>
        <label>Last day <input type="date" name="to" required aria-invalid=${wrong} aria-describedby=${described} .value=${absence ? local(lastDay(absence.until)) : ""} /></label>
        <button>${absence ? "Change" : "I am away then"}</button>
        ${noteAt(this.note, "away")}
      </form>
    </section>`;
  }

  #away({ from, until }: { from: string; until: string }): TemplateResult {
    const [begins, ends] = [new Date(from), lastDay(until)];
    const now = begins.valueOf() <= Date.now() && Date.now() < new Date(until).valueOf();
    return html`<p class="notice">
      <span>${now ? "You are away" : "You will be away"} from ${day.format(begins)} to ${day.format(ends)}.</span>
      <button type="button" @click=${this.#back}>${now ? "I am back" : "I am not"}</button>
    </p>`;
  }

  #leave = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [from, until] = [midnight(String(form.get("from"))), midnight(String(form.get("to")), 1)];
    change(this, {
      at: "away",
      work: async () => {
        if (!(until > from)) throw new Said(0, "The last day is before the first. Correct one of them.");
        const body = JSON.stringify({ from: from.toISOString(), until: until.toISOString() });
        await ask("/api/me/absence", { method: "PUT", body, headers: { "content-type": "application/json" } });
        return "Stored.";
      },
    });
  };

  #back = (): void =>
    change(this, {
      at: "away",
      work: async () => {
        await ask("/api/me/absence", { method: "DELETE" });
        return "Stored. If it still says that you are away, the configuration of the server does; whoever runs it can change it.";
      },
      focus: "input",
    });
}
