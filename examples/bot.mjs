// A bot: each line of standard input is a message, each answer goes to standard output. Nobody is asked: what no rule allows is denied.
//
//   node bot.mjs --workspace DIR --store FILE --model openai:gpt-5
//
// It keeps one talk in FILE and goes on with it when it is started again. Without --model a script plays the model.
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createAgent, refOf } from "holdfast";

const script = fileURLToPath(new URL("bot.script.ndjson", import.meta.url));
const { values } = parseArgs({
  options: {
    workspace: { type: "string", default: process.cwd() },
    store: { type: "string", default: "bot.db" },
    model: { type: "string", default: `script:${script}` },
  },
});

/**
 * What it may do beside reading. Secrets and settings stay closed whatever a rule says.
 * @type {import("holdfast").Rule[]}
 */
const rules = [
  {
    tool: "write_file",
    paths: ["notes/**"],
    decision: "allow",
    why: "notes are its own",
    origin: { source: "user", file: "bot.mjs", line: 26 },
  },
];

const store = resolve(values.store);
const agent = createAgent({
  workspace: resolve(values.workspace),
  model: values.model,
  store,
  // No rule may reach the files of the store, wherever they lie.
  policy: ({ mode }) => ({
    rules,
    grants: [],
    mode,
    sealed: { roots: ["", "-wal", "-shm", "-made"].map((end) => `${store}${end}`) },
  }),
});
const [last] = await agent.sessions.list();
const resumed = last === undefined ? undefined : await agent.resume(last.id);
const session = resumed ?? agent.start();
let after = 0;

/** The agent's words at the end of the turn. */
async function answer() {
  for await (const event of session.events({ after })) {
    after = event.seq;
    if (event.type === "turn_ended") return event.text ?? `(${event.reason})`;
    if (event.type === "approval_requested") for (const call of event.calls) await deny(call);
    if (event.type === "recovery_requested") for (const call of event.calls) await giveUp(call);
  }
  return "(closed)";
}

/** In the name of whoever runs the bot; the model reads the reason. @param {import("holdfast").WaitingCall} call */
function deny(call) {
  const reason = `no rule of this bot allows it: ${call.verdict.why}`;
  return session.answer(refOf(call), { decision: "deny", reason });
}

/** The bot was killed while this ran. Whether it was done is not known, so it is not done again. @param {import("holdfast").UnsettledCall} call */
function giveUp(call) {
  return session.recover(refOf(call), "cancel");
}

if (resumed !== undefined) {
  const wentOn = await resumed.proceed();
  const text = await answer(); // where nothing was left to do, the end of the last turn is told again
  if (wentOn) console.log(text);
}
for await (const line of createInterface({ input: process.stdin })) {
  await session.submit(line);
  console.log(await answer());
}
await agent.close();
