// The browsers that show notifications: this one, and the others of the person.

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { noteAt, type Note } from "./inbox-note.js";
import { change, type Device, type Reach } from "./inbox-notifications.js";
import { current, idOf, support, tryOut, turnOff, turnOn, why } from "./inbox-push.js";
import { inboxStyles } from "./inbox-styles.js";
import { when } from "./inbox-words.js";
import { line } from "./legible.js";
import { controls, theme } from "./styles.js";

const here = "here"; // the place for what is said of this browser

export class InboxDevices extends LitElement {
  static override styles = [theme, controls, inboxStyles];
  static override properties = { reach: {}, note: {} };
  declare reach: Reach;
  declare note: Note | undefined;

  #here: string | undefined; // the id of this browser's subscription
  #permission: PermissionStatus | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void navigator.permissions
      ?.query({ name: "notifications" })
      .then((status) => {
        this.#permission = status;
        if (this.isConnected) status.addEventListener("change", this.#look);
      })
      .catch(() => {});
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#permission?.removeEventListener("change", this.#look);
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("reach")) this.#look();
  }

  // look finds out which of the browsers this one is.
  #look = (): void => {
    void current()
      .then((subscription) => subscription && idOf(subscription))
      .catch(() => undefined)
      .then((id) => {
        this.#here = id;
        this.requestUpdate();
      });
  };

  protected override render(): TemplateResult {
    const { devices } = this.reach;
    return html`<section aria-labelledby="devices">
      <h3 id="devices">Notifications in your browsers</h3>
      ${this.#thisOne()} ${noteAt(this.#about(devices), here)}
      ${devices.length === 0
        ? html`<p class="meta">No browser of yours shows any so far.</p>`
        : html`<ul class="things">
            ${devices.map((one) => this.#row(one))}
          </ul>`}
    </section>`;
  }

  #thisOne(): TemplateResult | typeof nothing {
    const can = support();
    if (can !== "asks" && can !== "allowed") return html`<p class="notice">${why[can]}</p>`;
    if (can === "allowed" && this.reach.devices.some((one) => one.id === this.#here)) return nothing;
    return html`<p>
      <button type="button" class="primary" id="on" @click=${this.#on}>Turn on in this browser</button>
    </p>`;
  }

  #row(device: Device): TemplateResult {
    const called = line(device.label ?? "A browser");
    const own = device.id === this.#here;
    return html`<li class="thing">
      <div class="about">
        <strong>${called}</strong>${own ? html` <span class="good">this one</span>` : nothing}
        <div class="meta">Since ${when(device.since)}</div>
      </div>
      <div class="buttons">
        <button type="button" aria-label="Send a test: ${called}" @click=${() => this.#test(device)}>Send a test</button>
        <button type="button" class="quiet" aria-label="Turn off: ${called}" @click=${() => this.#off(device, called)}>Turn off</button>
      </div>
      ${noteAt(this.note, device.id)}
    </li>`;
  }

  // about is what is said of this browser, or of one that is not in the list any more.
  #about(devices: readonly Device[]): Note | undefined {
    return this.note && !devices.some((one) => one.id === this.note!.at) ? { ...this.note, at: here } : undefined;
  }

  #on = (): void =>
    change(this, {
      at: here,
      work: async () => {
        await turnOn();
        return "This browser shows notifications now. Send a test to see one.";
      },
      focus: ".buttons > button, #on",
    });

  #test(device: Device): void {
    change(this, {
      at: device.id,
      work: async () => {
        await tryOut(device.id);
        return "Sent. It appears within a few seconds. If it does not, look whether the system of that device keeps notifications back.";
      },
    });
  }

  #off(device: Device, called: string): void {
    change(this, {
      at: device.id,
      work: async () => {
        await turnOff(device.id);
        return `No more notifications: ${called}.`;
      },
      focus: "#on, .buttons > button",
    });
  }
}
