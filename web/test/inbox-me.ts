// How a person is told of questions, as /api/me has it, without any of its code.

import { createHash } from "node:crypto";
import type { Json } from "./record.js";

export class Me {
  channels: Json[] = [
    { channel: "web_push", after: 30 },
    { channel: "email", after: 300 },
    { channel: "webhook:ops", after: 45 },
  ];
  browsers: Json[] = [];
  more: Json = { email: "alice@example.com", deputy: "bob" };
  configuredAbsence: Json | undefined;
  absence: Json | undefined;
  readonly subscribed: Json[] = []; // what browsers sent
  readonly tested: string[] = [];

  // serve answers a request that is about the person, and reports whether it was one.
  serve(what: string, body: string, say: (value: unknown, status?: number) => void): boolean {
    const one = /^(DELETE|POST) \/api\/me\/push-subscriptions\/([0-9a-f]+)(\/test)?$/.exec(what);
    const sent = () => JSON.parse(body) as Json;
    if (what === "GET /api/me/channels") say(this.#reach());
    else if (what === "PUT /api/me/channels") (this.channels = sent()["channels"] as Json[]), say(this.#reach());
    else if (what === "GET /api/me/push-key") say({ key: "B".padEnd(87, "A") });
    else if (what === "POST /api/me/push-subscriptions") say(this.#subscribe(sent()), 201);
    else if (one?.[3]) say(this.tested.push(one[2]!) && undefined);
    else if (one) (this.browsers = this.browsers.filter((b) => b["id"] !== one[2])), say(undefined);
    else if (what === "PUT /api/me/absence") (this.absence = sent()), say(undefined);
    else if (what === "DELETE /api/me/absence") (this.absence = undefined), say(undefined);
    else return false;
    return true;
  }

  #reach(): Json {
    const absence = this.absence ?? this.configuredAbsence;
    return { channels: this.channels, push_subscriptions: this.browsers, ...this.more, ...(absence && { absence }) };
  }

  #subscribe(sent: Json): Json {
    this.subscribed.push(sent);
    const id = createHash("sha256").update(String(sent["endpoint"])).digest("hex").slice(0, 32);
    const browser = { id, label: sent["label"], created_at: "2026-11-17T09:30:00Z" };
    this.browsers = [...this.browsers.filter((b) => b["id"] !== id), browser];
    return browser;
  }
}
