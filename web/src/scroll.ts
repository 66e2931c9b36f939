// The log's scrolling: it follows what comes in, unless the person has scrolled away.

import type { ReactiveController, ReactiveControllerHost } from "lit";

const near = 48; // pixels from the end that still count as the end
const gap = 12;

export class Scroll implements ReactiveController {
  atEnd = true;
  #sizes = new ResizeObserver(() => {
    this.follow();
    this.#refresh(120);
  });
  #watched: HTMLElement | undefined;
  #last = 0;
  #revealed = -1; // where an element was shown, though that is near the end
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly log: () => HTMLElement | null,
  ) {
    host.addController(this);
  }

  // follow goes to the end if that is where the person was.
  follow(): void {
    const log = this.log();
    if (!log) return;
    this.#watch(log);
    if (this.atEnd) log.scrollTop = log.scrollHeight;
  }

  toEnd(): void {
    this.atEnd = true;
    this.follow();
    this.host.requestUpdate();
  }

  // reveal shows an element, its beginning above all.
  reveal(element: HTMLElement): void {
    const log = this.log();
    if (!log) return;
    const top = element.getBoundingClientRect().top - log.getBoundingClientRect().top + log.scrollTop;
    if (top >= log.scrollHeight - log.clientHeight) return this.toEnd(); // following the end shows it
    log.scrollTop = top - gap;
    this.hold();
  }

  // hold stays where the log is, though that may be near its end.
  hold = (): void => {
    const log = this.log()!;
    if (log.scrollHeight - log.scrollTop - log.clientHeight > 0) this.#revealed = log.scrollTop;
    this.#scrolled();
  };

  // sees reports whether the beginning of an element is in view; one that is not there yet soon will be.
  sees(element: HTMLElement | undefined): boolean {
    const log = this.log();
    if (!log || !element) return true;
    const frame = log.getBoundingClientRect();
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > frame.top + near && top < frame.bottom - near;
  }

  hostDisconnected(): void {
    clearTimeout(this.#later);
    this.#sizes.disconnect();
    this.#watched?.removeEventListener("scroll", this.#scrolled);
    this.#watched = undefined;
  }

  #watch(log: HTMLElement): void {
    if (this.#watched === log) return;
    this.hostDisconnected();
    this.#watched = log;
    log.addEventListener("scroll", this.#scrolled, { passive: true });
    this.#sizes.observe(log);
    if (log.firstElementChild) this.#sizes.observe(log.firstElementChild);
  }

  // Only scrolling up leaves the end: what comes in may be faster than the scrolling to it.
  #scrolled = (): void => {
    const log = this.log();
    if (!log) return;
    const before = this.atEnd;
    const held = log.scrollTop === this.#revealed; // the end would take the beginning away
    if (!held) this.#revealed = -1;
    if (held) this.atEnd = false;
    else if (log.scrollHeight - log.scrollTop - log.clientHeight < near) this.atEnd = true;
    else if (log.scrollTop < this.#last) this.atEnd = false;
    this.#last = log.scrollTop;
    this.#refresh(before === this.atEnd ? 120 : 0);
  };

  // refresh lets the host show anew what is in view.
  #refresh(delay: number): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.host.requestUpdate(), delay);
  }
}
