// Notifications of this browser: whether it can show any, and turning them on and off.

import { ask, Said } from "./inbox-api.js";
import { object, text } from "./json.js";

// Support is whether this browser can show notifications. "asks" it can, and nobody has said yet whether it may.
export type Support = "insecure" | "missing" | "home-screen" | "denied" | "asks" | "allowed";

export function support(): Support {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) {
    return /iPhone|iPad/.test(navigator.userAgent) ? "home-screen" : "missing";
  }
  return ({ denied: "denied", granted: "allowed", default: "asks" } as const)[Notification.permission];
}

// why says what a person can do about a browser that shows none.
export const why: { readonly [support in Exclude<Support, "asks" | "allowed">]: string } = {
  insecure: "Browsers show notifications of pages that come by https only, and this one does not.",
  missing: "This browser shows no notifications of pages. Use another one, or be told another way.",
  "home-screen": "On an iPhone or iPad, first add this page to the home screen: Share, then “Add to Home Screen”. Open it from there and come back here.",
  denied:
    "This browser was told to show no notifications of this page, and the page cannot ask again. Open the settings of the page, left of its address, allow notifications there, and come back.",
};

const script = "/inbox/sw.js";
const waitMost = 20_000;

// current is the subscription that this browser has.
export async function current(): Promise<PushSubscription | undefined> {
  if (support() !== "allowed") return undefined;
  const registration = await navigator.serviceWorker.getRegistration(script);
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

// idOf is how the server calls a subscription.
export async function idOf(subscription: PushSubscription): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint));
  return [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// turnOn has this browser show notifications. It is called by a click: only then may a page ask for it.
export async function turnOn(): Promise<void> {
  const said = await Notification.requestPermission();
  if (said === "denied") throw new Said(0, why.denied);
  if (said !== "granted") throw new Said(0, "Nothing was chosen, so nothing was turned on. Press the button again and allow notifications.");
  const subscription = await subscribe(await active(), text(object(await ask("/api/me/push-key"))?.["key"]) ?? "");
  const { endpoint, keys } = subscription.toJSON();
  const body = JSON.stringify({ endpoint, key: keys?.["p256dh"], auth: keys?.["auth"], label: label(navigator.userAgent) });
  await ask("/api/me/push-subscriptions", { method: "POST", body, headers: { "content-type": "application/json" } });
}

// turnOff has a browser show none: the server forgets it, and so does this browser if it is this one.
export async function turnOff(id: string): Promise<void> {
  const here = await current();
  await ask(`/api/me/push-subscriptions/${encodeURIComponent(id)}`, { method: "DELETE" });
  if (here && (await idOf(here)) === id) await here.unsubscribe().catch(() => false);
}

export function tryOut(id: string): Promise<unknown> {
  return ask(`/api/me/push-subscriptions/${encodeURIComponent(id)}/test`, { method: "POST" });
}

async function active(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(script).catch((error: Error) => {
    throw new Said(0, `This browser did not take what shows notifications: ${error.message}`);
  });
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  if (worker && worker.state !== "activated") await activated(worker);
  return registration;
}

function activated(worker: ServiceWorker): Promise<void> {
  return new Promise((done, fail) => {
    const late = () => fail(new Said(0, "This browser did not start what shows notifications. Reload the page and try again."));
    const timer = setTimeout(late, waitMost);
    worker.addEventListener("statechange", () => {
      if (worker.state !== "activated" && worker.state !== "redundant") return;
      clearTimeout(timer);
      if (worker.state === "activated") done();
      else late();
    });
  });
}

async function subscribe({ pushManager }: ServiceWorkerRegistration, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const failed = error as DOMException;
    if (failed.name === "NotAllowedError") throw new Said(0, why.denied);
    if (failed.name !== "InvalidStateError") throw new Said(0, unreachable);
  }
  // It has a subscription for a key that the server had before.
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe(options).catch(() => {
    throw new Said(0, unreachable);
  });
}

const unreachable =
  "This browser could not reach its push service, which brings notifications to it. Check your connection; some browsers have push messages turned off in their settings.";

// label is what a person calls a browser, as well as it can be told.
export function label(agent: string): string {
  const first = (names: { readonly [name: string]: RegExp }, none: string) => Object.entries(names).find(([, pattern]) => pattern.test(agent))?.[0] ?? none;
  const program = first({ Edge: /Edg/, Opera: /OPR\//, Firefox: /Firefox|FxiOS/, Chrome: /Chrome|CriOS/, Safari: /Safari/ }, "A browser");
  const system = first({ iPhone: /iPhone/, iPad: /iPad/, Android: /Android/, Windows: /Windows/, Mac: /Mac OS X|Macintosh/, ChromeOS: /CrOS/, Linux: /Linux/ }, "");
  return system ? `${program} on ${system}` : program;
}
