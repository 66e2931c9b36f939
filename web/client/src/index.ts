// @parley/client: ask people from any program. docs/asking.md shows how.
export { Client, type Options, type Waiting } from "./client.js";
export { type Event, verifyWebhook } from "./webhook.js";
export { type Action, type Answer, type Ask, type Decision, type Outcome, ParleyError, type Question, type Schema } from "./wire.js";
