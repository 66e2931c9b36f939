// Time, as the server has it. A question's expiry is a time of the server's clock, and the clock of a person's machine may
// be minutes off.

export class Clock {
  #ahead = 0; // of the server against this machine, in milliseconds

  now(): number {
    return Date.now() + this.#ahead;
  }

  // note learns the server's time as it was a moment ago, such as from the Date header of an answer. Pages of other origins
  // see that only if the server exposes it.
  note(date: string | null | undefined): void {
    const at = Date.parse(date ?? "");
    if (isNaN(at)) return;
    const ahead = at + 500 - Date.now(); // the header has whole seconds
    // Below that it is rounding and the way through the network.
    this.#ahead = Math.abs(ahead) > 2000 ? ahead : 0;
  }
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// remaining writes a span of time as a countdown shows it: 3 d, 2 d 7 h, 2 h 5 min, or 9:41. Days are of whole hours, the
// nearest: what is open for three days has 3 d left when it is asked.
export function remaining(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  const hours = Math.round(left / hour);
  if (hours >= 48) return `${Math.floor(hours / 24)} d${hours % 24 ? ` ${hours % 24} h` : ""}`;
  if (left >= hour) return `${Math.floor(left / hour)} h ${Math.floor((left % hour) / minute)} min`;
  const seconds = Math.ceil(left / second);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// What is said aloud: a countdown that speaks every second would say nothing else.
const spoken = [5 * minute, minute, 30 * second, 10 * second];

// crossed returns the threshold, in seconds, that lies between two moments of a countdown, if any.
export function crossed(before: number, after: number): number | undefined {
  const passed = spoken.filter((at) => before > at && after <= at);
  return passed.length > 0 && after > 0 ? Math.min(...passed) / second : undefined;
}
