import type { Question } from "./wire.js";

/** What a callback says. */
export interface Event<T = Record<string, unknown>> {
  type: string;
  timestamp: string;
  data: Question<T>;
}

const tolerance = 5 * 60; // seconds that clocks may be apart

/**
 * Returns the event of a callback that is signed with the secret of your key (`whsec_…`), or throws. `body` is the text as it
 * came. The same `webhook-id` may come more than once.
 */
export async function verifyWebhook<T = Record<string, unknown>>(
  secret: string, headers: Headers | Record<string, string | undefined>, body: string, now = new Date(),
): Promise<Event<T>> {
  const header = (name: string) => (headers instanceof Headers ? headers.get(name) : headers[name]) ?? "";
  const id = header("webhook-id"), at = header("webhook-timestamp");
  if (!id || !/^\d+$/.test(at) || Math.abs(now.getTime() / 1000 - Number(at)) > tolerance) throw new Error("webhook: the time is missing, or too long ago");
  const raw = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (c) => c.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${at}.${body}`);
  for (const one of header("webhook-signature").split(" ")) {
    const [version, signature] = one.split(",");
    if (version === "v1" && signature && (await crypto.subtle.verify("HMAC", key, decoded(signature), signed))) return JSON.parse(body) as Event<T>;
  }
  throw new Error("webhook: no signature holds");
}

function decoded(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
