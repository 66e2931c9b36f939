// Whether a person can see the card: only then do its buttons do anything.

const long = 1_000; // so long it must have been seen
const tooLong = 3_000; // after so long it is said why nothing works

export class Armed {
  yes = false;
  #seen = new Map<Element, boolean>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watching: IntersectionObserver;

  // changed is told when the buttons may be used or no more, and when they could not be for long.
  constructor(private readonly changed: (covered: boolean) => void) {
    // Chromium sees what lies over a frame, and whether it is see-through. Others see whether it is on the screen.
    const covers = "trackVisibility" in IntersectionObserver.prototype;
    this.#watching = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) this.#seen.set(entry.target, covers ? Reflect.get(entry, "isVisible") === true : entry.isIntersecting);
        this.#judge();
      },
      { threshold: [0, 0.5, 1], ...{ trackVisibility: true, delay: 100 } },
    );
    document.addEventListener("visibilitychange", () => this.#judge());
  }

  // watch begins with what was drawn. Where that is another question, it must be seen anew.
  watch(elements: Iterable<Element>, another: boolean): void {
    this.#watching.disconnect();
    this.#seen.clear();
    for (const element of elements) {
      this.#seen.set(element, this.yes && !another);
      this.#watching.observe(element);
    }
    this.#judge(another);
  }

  #visible = false;

  #judge(again = false): void {
    const visible = document.visibilityState === "visible" && this.#seen.size > 0 && ![...this.#seen.values()].includes(false);
    if (visible === this.#visible && !again) return;
    this.#visible = visible;
    this.yes = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.yes = this.#visible;
        this.changed(!this.yes);
      },
      visible ? long : tooLong,
    );
    this.changed(false);
  }
}
