// The time that is left to answer, once a second.

import type { ReactiveController, ReactiveControllerHost } from "lit";
import { crossed, type Clock } from "./clock.js";

export class Countdown implements ReactiveController {
  left: number | undefined; // milliseconds; undefined where nothing is counted
  #until = Number.NaN;
  #clock: Clock | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #connected = false;

  constructor(
    private readonly host: Pick<ReactiveControllerHost, "addController" | "requestUpdate">,
    private readonly say: (seconds: number) => void, // that only so much is left
    private readonly over: () => void,
  ) {
    host.addController(this);
  }

  // start counts down to a moment. One that is past already means that this machine's clock and the server's disagree;
  // then nothing is counted and the server alone decides.
  start(until: string | undefined, clock: Clock): void {
    this.#until = Date.parse(until ?? "");
    this.#clock = clock;
    const left = this.#until - clock.now();
    this.left = left > 0 ? left : undefined; // also for NaN
    this.#schedule();
  }

  stop(): void {
    this.left = undefined;
    this.#schedule();
  }

  hostConnected(): void {
    this.#connected = true;
    this.#schedule();
  }

  hostDisconnected(): void {
    this.#connected = false;
    this.#schedule();
  }

  #schedule(): void {
    clearInterval(this.#timer);
    if (this.#connected && this.left !== undefined) this.#timer = setInterval(() => this.#tick(), 1000);
  }

  #tick(): void {
    const before = this.left ?? 0;
    // Not one second less: a machine that slept has missed ticks.
    this.left = Math.max(0, this.#until - this.#clock!.now());
    const threshold = crossed(before, this.left);
    if (threshold !== undefined) this.say(threshold);
    if (this.left === 0) {
      this.stop();
      this.over();
    }
    this.host.requestUpdate();
  }
}
