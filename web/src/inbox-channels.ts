// The channels in the person's order: which come first, after how long, and which are off. Each change is stored at once.

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { ask } from "./inbox-api.js";
import { change, type Channel, type Reach } from "./inbox-notifications.js";
import { noteAt, type Note } from "./inbox-note.js";
import { inboxStyles } from "./inbox-styles.js";
import { line } from "./legible.js";
import { controls, theme } from "./styles.js";

const times = [0, 30, 60, 300, 900, 3600, 14_400, 86_400, 259_200];

// duration is a time in words.
export function duration(seconds: number): string {
  if (seconds === 0) return "at once";
  for (const [name, size] of [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const) {
    if (seconds % size === 0) return `after ${seconds / size} ${name}${seconds === size ? "" : "s"}`;
  }
  return `after ${seconds} seconds`;
}

export class InboxChannels extends LitElement {
  static override styles = [
    theme,
    controls,
    inboxStyles,
    css`
      label {
        display: inline-flex;
        align-items: center;
        gap: 0.5rem;
        min-block-size: 2.625rem;
      }
      input[type="checkbox"] {
        inline-size: 1.3rem;
        block-size: 1.3rem;
        accent-color: var(--_accent);
      }
      select {
        inline-size: auto;
      }
    `,
  ];
  static override properties = { reach: {}, note: {} };
  declare reach: Reach;
  declare note: Note | undefined;

  protected override render(): TemplateResult {
    const { channels } = this.reach;
    return html`<section aria-labelledby="order">
      <h3 id="order">In which order</h3>
      <ol class="things">
        ${repeat(channels, (one) => one.channel, (one, at) => this.#row(one, at))}
      </ol>
    </section>`;
  }

  #row(one: Channel, at: number): TemplateResult {
    const called = this.#called(one);
    const missing = this.#missing(one);
    const choices = times.includes(one.after) ? times : [...times, one.after].sort((a, b) => a - b);
    return html`<li class="thing" data-channel=${one.channel}>
      <div class="about">
        <strong>${called}</strong>
        ${missing ? html`<div class="meta">${missing}</div>` : nothing}
        ${one.channel === "slack" ? html`<div class="meta">It goes to the accounts that you have linked. <a href="/slack/link">Your Slack accounts</a></div>` : nothing}
      </div>
      <div class="buttons">
        <label><input type="checkbox" aria-label="${called}: on" .checked=${live(!one.off)} @change=${() => this.#store(one, { off: !one.off })} />On</label>
        <select aria-label="When: ${called}" @change=${(e: Event) => this.#store(one, { after: Number((e.target as HTMLSelectElement).value) })}>
          ${choices.map((time) => html`<option value=${time} .selected=${live(time === one.after)}>${duration(time)}</option>`)}
        </select>
        ${this.#mover(one, at, -1, called)} ${this.#mover(one, at, 1, called)}
      </div>
      ${noteAt(this.note, one.channel)}
    </li>`;
  }

  #mover(one: Channel, at: number, by: 1 | -1, called: string): TemplateResult | typeof nothing {
    if (this.reach.channels.length < 2) return nothing;
    const to = at + by;
    const can = to >= 0 && to < this.reach.channels.length;
    const word = by < 0 ? "Earlier" : "Later";
    return html`<button type="button" class=${by < 0 ? "up" : "down"} aria-label="${word}: ${called}" aria-disabled=${!can} @click=${() => can && this.#move(one, to, by)}>${word}</button>`;
  }

  #called({ channel }: Channel): string {
    if (channel === "web_push") return "Notifications in your browsers";
    if (channel === "email") return this.reach.email ? `E-mail to ${line(this.reach.email)}` : "E-mail";
    if (channel === "slack") return "A direct message in Slack";
    return `Webhook ${line(channel.replace(/^webhook:/, ""))}`;
  }

  #missing({ channel, off }: Channel): string {
    if (off) return "Off: left out.";
    if (channel === "web_push" && this.reach.devices.length === 0) return "Left out: no browser of yours is turned on.";
    if (channel === "email" && !this.reach.email) return "Left out: no verified address of yours is known. Sign in with one, or ask whoever runs this server.";
    return "";
  }

  #store(one: Channel, changed: Partial<Channel>): void {
    this.#put(one, this.reach.channels.map((other) => (other === one ? { ...one, ...changed } : other)));
  }

  #move(one: Channel, to: number, by: number): void {
    const others = this.reach.channels.filter((other) => other !== one);
    this.#put(one, [...others.slice(0, to), one, ...others.slice(to)], `[data-channel="${CSS.escape(one.channel)}"] .${by < 0 ? "up" : "down"}`);
  }

  #put(one: Channel, channels: readonly Channel[], focus?: string): void {
    const body = JSON.stringify({ channels });
    change(this, {
      at: one.channel,
      work: async () => {
        await ask("/api/me/channels", { method: "PUT", body, headers: { "content-type": "application/json" } });
        return "Stored.";
      },
      focus,
    });
  }
}
