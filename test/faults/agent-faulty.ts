/**
 * The command `agent` with faults, and a person at it who always decides the same: `agent-faulty.mjs [SESSION]` begins the session
 * or goes on with it, one command after another, until nothing waits any more. Events go to stdout as they are said. With
 * HOLDFAST_GATE it says `ready` when all is loaded and begins at the first byte of stdin. With HOLDFAST_COMMAND, a JSON list of words,
 * it is this one command and nobody is at it.
 */
import { writeSync } from "node:fs";
import { main } from "../../src/cli/main.ts";
import type { AgentEvent, UnsettledCall, WaitingCall } from "../../src/graph/events.ts";
import { DrivenSession } from "../../src/session/driven-session.ts";
import { installFaults, reach } from "./hook.ts";
import { outerNames } from "./points.ts";
import { answeredElsewhere, decisionsOn, granted, prompt, steer, takenBack } from "./session.ts";

/** What one command said. */
interface Said {
  code: number;
  session: string | undefined;
  waiting: WaitingCall[];
  unsettled: UnsettledCall[];
  /** The session has words in it, old or new. */
  begun: boolean;
  /** How often the person has said something: the prompt, then that all is to be taken back. */
  messages: number;
}

/** More commands than any session here needs: a person who is asked the same for ever gives up. */
const maxCommands = 20;

/** Calls that such are to be allowed with from then on. */
const toGrant = new Set<string>();

/** The person's words for the turn under way were heard to be saved, here or in an earlier process. */
let steered = false;

/** The person has had the talk summed up in this process. */
let summedUp = false;

/**
 * A grant is given at the dialog only, so what the person's flags approve is approved here as at the dialog. Words for the turn under way
 * are said there only too, and there the talk is summed up: before the undo.
 */
function decideAsAtDialog(): void {
  const { prototype } = DrivenSession;
  const { answer, recover, undo } = prototype;
  prototype.recover = async function (callId, choice) {
    await sumUpFirst(this);
    return recover.call(this, callId, choice);
  };
  prototype.undo = async function (target) {
    await this.compact("the colours");
    return undo.call(this, target);
  };
  prototype.answer = async function (ref, decision) {
    await sumUpFirst(this);
    const isOwnSession = process.env["HOLDFAST_COMMAND"] === undefined;
    if (decision.decision === "deny" && isOwnSession && !steered) {
      await this.steer(takenBack);
      await this.takeBack();
      await this.steer(steer);
      steered = true;
    }
    const grants = decision.decision === "approve" && toGrant.has(ref.call) && (await this.offersOf(ref)).grants;
    const grant = grants === false ? undefined : grants[0];
    return answer.call(this, ref, grant === undefined ? decision : { ...decision, grant });
  };
}

/** With HOLDFAST_COMPACT the person has the talk summed up before their first word on what waits. */
async function sumUpFirst(session: DrivenSession): Promise<void> {
  if (process.env["HOLDFAST_COMPACT"] === undefined || summedUp) return;
  summedUp = true;
  await session.compact("the colours");
}

async function run(argv: readonly string[]): Promise<Said> {
  const said: Said = { code: 0, session: undefined, waiting: [], unsettled: [], begun: false, messages: 0 };
  process.stdout.write = ((text: string) => say(text, (event) => listen(said, event))) as typeof process.stdout.write;
  said.code = await main([...argv, "--json"], process);
  reach("command ended");
  return said;
}

/** Each line is written whole and at once, so that what was said before a death was heard. */
function say(text: string, hear: (event: AgentEvent) => void): boolean {
  if (text === "") return true;
  writeSync(1, text);
  for (const line of text.trim().split("\n")) hearLine(line, hear);
  return true;
}

function hearLine(line: string, hear: (event: AgentEvent) => void): void {
  const event = JSON.parse(line) as AgentEvent;
  hear(event);
  const name = `said ${event.type}`;
  if ((outerNames as readonly string[]).includes(name)) reach(name);
}

function listen(said: Said, event: AgentEvent): void {
  said.session ??= event.session;
  switch (event.type) {
    case "session_restored":
      said.begun = event.messages.length > 0;
      said.messages = event.messages.filter((one) => one.role === "user" && one.steer !== true).length;
      steered ||= event.messages.some((one) => one.role === "user" && one.steer === true);
      break;
    case "user_message":
      said.begun = true;
      if (event.steer !== true) said.messages += 1;
      else steered ||= event.text === steer;
      break;
    case "assistant_message":
      said.begun = true;
      break;
    case "approval_requested":
      said.waiting = event.calls;
      for (const { callId, arguments: args } of event.calls) if (args["new_string"] === granted) toGrant.add(callId);
      break;
    case "recovery_requested":
      said.unsettled = event.calls;
      break;
    default:
  }
}

async function first(session: string | undefined): Promise<Said> {
  if (session === undefined) return run(["run", prompt]);
  const on = await run(["resume", session]);
  // Nothing had been saved, and nothing had been said to be: the person says it again.
  return on.code === 0 && !on.begun ? run(["resume", session, prompt]) : on;
}

async function work(session: string | undefined): Promise<number> {
  const command = process.env["HOLDFAST_COMMAND"];
  if (command !== undefined) return (await run(JSON.parse(command) as string[])).code;
  const said = await decide(await first(session));
  if (said.code !== 0 && said.code !== 10) return said.code;
  if (said.messages > 1) return said.code;
  return (await decide(await run(["undo", said.session ?? "", "--yes"]))).code;
}

/** Decides until nothing waits any more. */
async function decide(first: Said): Promise<Said> {
  let said = first;
  for (let commands = 1; commands < maxCommands && said.code === 11; commands += 1) {
    const elsewhere = said.waiting.filter(answeredElsewhere);
    for (const { callId, digest } of elsewhere)
      await run(["answer", said.session ?? "", "--approve", `${callId}@${digest}`]);
    const waiting = said.waiting.filter((call) => !answeredElsewhere(call));
    const flags = decisionsOn(waiting, said.unsettled, process.env["HOLDFAST_PERSON"]);
    said = await run(["resume", said.session ?? "", ...flags]);
  }
  return said;
}

async function gate(): Promise<void> {
  if (process.env["HOLDFAST_GATE"] === undefined) return;
  await Promise.all([import("../../src/cli/commands/resume.ts"), import("../../src/session/open-session.ts")]);
  writeSync(2, "ready\n");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  process.stdin.pause();
}

decideAsAtDialog();
await installFaults(process.env);
await gate();
process.exitCode = await work(process.argv[2]);
process.stdin.destroy();
