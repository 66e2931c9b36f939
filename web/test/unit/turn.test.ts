import assert from "node:assert/strict";
import { test } from "node:test";
import { covers, Turn } from "../../src/turn.js";

const take = (...chunks: unknown[]) => {
  const turn = new Turn();
  for (const chunk of chunks) turn.take(typeof chunk === "string" ? chunk : JSON.stringify(chunk));
  return turn;
};
const start = { type: "start", messageId: "m1" };
const question = { type: "elicitation-request", elicitationId: "q1", mode: "form", message: "?", context: { trigger: "tool" } };

test("texts grow by their deltas, each under its own id", () => {
  const { message } = take(
    start,
    { type: "text-start", id: "a" },
    { type: "text-delta", id: "a", delta: "Hel" },
    { type: "text-start", id: "b" },
    { type: "text-delta", id: "b", delta: "x" },
    { type: "text-delta", id: "a", delta: "lo" },
    { type: "text-end", id: "a" },
    { type: "text-start", id: "a" },
    { type: "text-delta", id: "a", delta: "again" },
  );
  assert.equal(message?.id, "m1");
  assert.deepEqual(message?.parts, [
    { kind: "text", id: "a", text: "Hello", open: false },
    { kind: "text", id: "b", text: "x", open: true },
    { kind: "text", id: "a", text: "again", open: true },
  ]);
});

test("a call and a question are shown with the numbers that were sent", () => {
  const args = '{"amount":0.1000000000000000055,"id":9007199254740993,"rate":1.0}';
  const { message } = take(
    start,
    `{"type":"tool-input-available","toolCallId":"c","toolName":"pay","input":${args}}`,
    { type: "tool-input-start", toolCallId: "c", toolName: "pay" },
    `{"type":"tool-input-available","toolCallId":"c","toolName":"pay","input":${args}}`,
    `{"type":"tool-output-available","toolCallId":"c","output":[1.0]}`,
    `{"type":"data-elicitation-request","data":{"elicitationId":"q","mode":"form","message":"?","context":{},"requestedSchema":{"properties":{"n":{"type":"number","default":0.1000000000000000055}}}}}`,
  );
  const [call, question] = message!.parts;
  assert.ok(call?.kind === "tool" && question?.kind === "question");
  assert.deepEqual([call.input, call.output], [args, "[1.0]"]);
  const bare = take(start, { type: "tool-input-start", toolCallId: "c", toolName: "pay" }, `{"type":"tool-output-available","toolCallId":"c","output":1.0}`).message!.parts[0];
  assert.equal(bare?.kind === "tool" && bare.output, "1.0");
  assert.deepEqual(question.question.requestedSchema, { properties: { n: { type: "number", default: "0.1000000000000000055" } } });
});

test("a tool call goes through its states", () => {
  const call = { toolCallId: "c" };
  const state = (...chunks: object[]) => {
    const part = take(start, { type: "tool-input-start", ...call, toolName: "list" }, ...chunks).message?.parts[0];
    return part?.kind === "tool" ? [part.name, part.state, part.input, part.output, part.error] : undefined;
  };
  const delta = { type: "tool-input-delta", ...call, inputTextDelta: '{"a"' };
  const available = { type: "tool-input-available", ...call, toolName: "list", input: { a: 1 } };
  assert.deepEqual(state(), ["list", "writing", undefined, undefined, undefined]);
  assert.deepEqual(state(delta), ["list", "writing", '{"a"', undefined, undefined]);
  assert.deepEqual(state(delta, available), ["list", "running", '{"a":1}', undefined, undefined]);
  assert.deepEqual(state(available, { type: "tool-approval-request", approvalId: "x", ...call }), ["list", "asking", '{"a":1}', undefined, undefined]);
  assert.deepEqual(state(available, { type: "tool-output-available", ...call, output: "ok" }), ["list", "done", '{"a":1}', "ok", undefined]);
  assert.deepEqual(state(available, { type: "tool-output-error", ...call, errorText: "no" }), ["list", "failed", '{"a":1}', undefined, "no"]);
  assert.deepEqual(state(available, { type: "tool-output-denied", ...call }), ["list", "denied", '{"a":1}', undefined, undefined]);
});

test("what is said of a call goes to its part, and of another nowhere", () => {
  const begun = { type: "tool-input-start", toolCallId: "c", toolName: "list" };
  const about = (type: string, data: object) => ({ type, data });
  const { message } = take(
    start,
    begun,
    about("data-tool-progress", { toolCallId: "c", progress: 1, total: "many", message: 7, service: "s" }),
    about("data-tool-content", { toolCallId: "c", items: [null, { type: "link", uri: "x:y", name: 7 }, 3] }),
    about("data-tool-content", { toolCallId: "other", items: [{ type: "image", id: "p" }] }),
    about("data-tool-new", { toolCallId: "c" }),
  );
  assert.equal(message?.parts.length, 1);
  const part = message?.parts[0];
  assert.ok(part?.kind === "tool");
  assert.deepEqual(JSON.parse(JSON.stringify([part.progress, part.content])), [{ done: 1, service: "s" }, [{ type: "link", uri: "x:y" }]]);
});

test("what is unknown or damaged changes nothing", () => {
  const known = [start, { type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: "a" }, { type: "data-elicitation-request", id: "q1", data: question }];
  const strange = [
    "{not json",
    "null",
    "[1]",
    '"text"',
    "7",
    "",
    { type: 7 },
    { type: "from-the-future", data: {} },
    { type: "text-future", id: "z", delta: "x" },
    { type: "tool-future", toolCallId: "c", toolName: "x" },
    { type: "tool-output-available", toolCallId: "never begun", output: 1 },
    { type: "tool-input-available" },
    { type: "data-future", id: "d", data: { message: "x" } },
    { type: "data-elicitation-request", id: "q2" },
    { type: "data-elicitation-request", id: "q3", data: { elicitationId: "q3", mode: "telepathy" } },
    { type: "data-warning", data: "x" },
    { type: "reset-step" },
    { type: "text-end", id: "never begun" },
  ];
  const plain = take(...known).message;
  const mixed = take(...known.flatMap((chunk) => [...strange, chunk]), ...strange);
  // Before its start a message has no id of the server's.
  assert.deepEqual({ ...mixed.message, id: "m1" }, plain);
  assert.equal(mixed.ending, undefined);
});

test("unknown fields of known chunks are ignored", () => {
  const { message } = take({ ...start, future: 1 }, { type: "text-delta", id: "t", delta: "a", providerMetadata: {} });
  assert.deepEqual(message?.parts, [{ kind: "text", id: "t", text: "a", open: true }]);
});

test("the same question again takes the place of the first", () => {
  const settled = { ...question, outcome: { action: "accept", by: "alice", via: "page", at: "2026-01-01T00:00:00Z", future: 1 } };
  const { message } = take(start, { type: "data-elicitation-request", id: "q1", data: question }, { type: "data-elicitation-request", id: "q1", data: settled });
  assert.equal(message?.parts.length, 1);
  const part = message?.parts[0];
  assert.ok(part?.kind === "question");
  assert.deepEqual(part.question.outcome, { action: "accept", by: "alice", via: "page", reason: undefined, at: "2026-01-01T00:00:00Z", decision: undefined, limits: undefined });
});

test("an unknown way to end is an end", () => {
  const { message } = take(start, { type: "data-elicitation-request", id: "q1", data: { ...question, outcome: { action: "evaporate", by: "alice" } } });
  const part = message?.parts[0];
  assert.ok(part?.kind === "question");
  assert.deepEqual([part.question.outcome?.action, part.question.outcome?.by], ["cancel", undefined]);
});

test("a question of another message is updated there", () => {
  const asked: string[] = [];
  const turn = new Turn((q) => asked.push(q.elicitationId) > 0);
  turn.take(JSON.stringify(start));
  turn.take(JSON.stringify({ type: "data-elicitation-request", id: "q1", data: question }));
  assert.deepEqual(asked, ["q1"]);
  assert.deepEqual(turn.message?.parts, []);
});

test("finish, abort, error and [DONE] end a turn, and nothing else does", () => {
  assert.equal(take(start, { type: "finish-step" }).ending, undefined);
  assert.deepEqual(take(start, { type: "finish" }).ending, {});
  assert.deepEqual(take(start, "[DONE]").ending, {});
  assert.deepEqual(take(start, { type: "abort" }, "[DONE]").ending, { stopped: true });
  assert.deepEqual(take(start, { type: "error", errorText: "The model is gone." }, "[DONE]").ending, { error: "The model is gone." });
});

test("a replay covers what is shown once it has come as far", () => {
  const shown = take(start, { type: "text-delta", id: "t", delta: "Hello" }, { type: "data-elicitation-request", id: "q1", data: question }).message!;
  const replay = take(start, { type: "text-delta", id: "t", delta: "Hel" });
  assert.equal(covers(replay.message!, shown), false);
  replay.take(JSON.stringify({ type: "text-delta", id: "t", delta: "lo" }));
  assert.equal(covers(replay.message!, shown), false);
  replay.take(JSON.stringify({ type: "data-elicitation-request", id: "q1", data: question }));
  assert.equal(covers(replay.message!, shown), true);
});
