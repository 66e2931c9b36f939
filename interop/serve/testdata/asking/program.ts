// A program that asks somebody and waits, whatever becomes of the server meanwhile.
import { Client, ParleyError } from "../../../../web/client/src/index.js";

const [url, key, other] = process.argv.slice(2) as [string, string, string];
const parley = new Client({ url, token: key });
const question = await parley.ask<{ version: string }>({
  to: "alice", from: "release.ts", message: "Which version?", ttl: "1h",
  requested_schema: { type: "object", properties: { version: { type: "string" } }, required: ["version"] },
});
console.log(`asked ${question.id}`);
const answer = await parley.wait<{ version: string }>(question.id);
console.log(`answered ${answer.outcome?.by} ${answer.outcome?.content?.version}`);
const refused = await new Client({ url, token: other }).get(question.id).catch((error: ParleyError) => error.status);
console.log(`another ${refused}`);
