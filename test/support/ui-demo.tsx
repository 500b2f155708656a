import { openTty } from "../../src/cli/terminal/tty.ts";
import { runChat } from "../../src/cli/ui/chat/run-chat.tsx";
import { changesOf } from "../../src/files/diff/diff-text.ts";
import { sessionTaken } from "../../src/session/exit-codes.ts";
import { servicesWith } from "./fake-services.ts";
import { doneCall, FakeSession, longPlan, pendingCall, waitingEdit } from "./fake-session.ts";

// A chat without an agent, for the pseudo-terminal: argv[2] names the scene that a submitted message starts. The clock stands
// still (no question is ever armed) or leaps a second at each look (each is armed at once): a test need not wait. Or it is the machine's own.

const [, , scene = "talk", clock = "leaps", historyFile = "/dev/null"] = process.argv;
const session = new FakeSession();
let time = 0;
const now = (): number => {
  if (clock === "real") return Date.now();
  if (clock === "leaps") time += 1000;
  return time;
};

const grants = [
  {
    scope: "session" as const,
    grant: { scope: "session" as const, tool: "edit_file", paths: ["src/**"], why: "chosen in the dialog" },
    text: "allow edit_file in src/**",
    where: "grants.json (this session)",
  },
  {
    scope: "project" as const,
    grant: { scope: "project" as const, tool: "edit_file", paths: ["src/**"], why: "chosen in the dialog" },
    text: "allow edit_file in src/** in this project",
    where: "~/.config/holdfast/grants.json",
  },
];

const paragraphs = (count: number): string =>
  Array.from({ length: count }, (_, index) => `Paragraph ${index + 1} of the answer, with **bold** words.\n\n`).join(
    "",
  );

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

async function talk(text: string): Promise<void> {
  session.emit({ type: "user_message", id: "u1", text });
  if (scene === "half") {
    session.emit({ type: "text_delta", id: "a1", text: "The first half is said, and" });
    return;
  }
  const answer = scene === "long" ? paragraphs(60) : "I read the file.\n\n```ts\nconst a = 1;\n```\n\nNow I change it.";
  for (const word of answer.split(/(?<= )/)) session.emit({ type: "text_delta", id: "a1", text: word });
  session.emit({ type: "assistant_message", id: "a1", text: answer, calls: ["c1", "c2", "c3"] });
  if (scene === "long" || scene === "talk") {
    session.emit({ type: "usage", inputTokens: 900, outputTokens: 100, contextUsed: 4200, contextWindow: 128_000 });
    session.emit({
      type: "turn_ended",
      reason: "done",
      exitCode: 0,
      calls: { success: 0, error: 0, cancelled: 0, interrupted: 0 },
    });
    return;
  }
  session.emit({ type: "tool_call", call: pendingCall("c1", "read_file", { file_path: "src/a.ts" }) });
  session.emit({ type: "tool_call", call: { callId: "c1", status: "executing", attempt: 1 } });
  await wait(scene === "slow" ? 60_000 : 20);
  session.emit({
    type: "tool_call",
    call: doneCall("c1", "read_file", { file_path: "src/a.ts" }, { output: "…", title: "120 lines" }),
  });
  if (scene === "late") process.on("SIGUSR1", ask);
  else ask();
}

function ask(): void {
  const second = waitingEdit("c3", {
    toolName: "write_file",
    risk: scene === "high" ? "high" : "medium",
    arguments: { file_path: "src/long.ts", content: "…" },
    digest: "77aa000000000000",
    plan: longPlan(60),
  });
  session.emit({
    type: "approval_requested",
    calls: scene === "high" ? [second] : [waitingEdit("c2", { grants }), second],
  });
}

session.onHeard = (heard) => {
  if (scene === "taken" && heard.method === "submit") {
    const message = "session brisk-otter-4f2a was taken over by process 4711 since 2026-11-21T10:00:00.000Z";
    session.emit({ type: "error", code: sessionTaken, message });
  } else if (scene === "crash" && heard.method === "submit") session.break(new Error("the stream broke"));
  else if (heard.method === "submit") void talk(heard.text);
  if (heard.method === "stop") {
    session.emit({
      type: "turn_ended",
      reason: "cancelled",
      exitCode: 130,
      calls: { success: 0, error: 0, cancelled: 1, interrupted: 0 },
    });
  }
  if (heard.method !== "answer") return;
  const { callId, decision } = heard;
  const toolName = callId === "c2" ? "edit_file" : "write_file";
  const args = { file_path: callId === "c2" ? "src/a.ts" : "src/long.ts" };
  const reason = decision.decision === "deny" ? decision.reason : undefined;
  const denied = {
    ...pendingCall(callId, toolName, args),
    status: "cancelled",
    by: { actor: "person" },
    ended: { why: "denied" },
    ...(reason === undefined ? {} : { reason }),
  } as const;
  // As an agent tells them: a denied call ends before its decision is said, an approved one runs after it.
  if (decision.decision === "deny") session.emit({ type: "tool_call", call: denied });
  session.emit({
    type: "decision",
    callId,
    decision: decision.decision,
    by: "person",
    ...(reason === undefined ? {} : { reason }),
  });
  if (decision.decision !== "deny")
    session.emit({ type: "tool_call", call: doneCall(callId, toolName, args, { output: "done" }) });
  const open = session.heard.filter((one) => one.method === "answer").length;
  if (open < (scene === "high" ? 1 : 2)) return;
  session.emit({ type: "assistant_message", id: "a2", text: "All is decided.", calls: [] });
  session.emit({
    type: "turn_ended",
    reason: "done",
    exitCode: 0,
    calls: { success: 1, error: 0, cancelled: 1, interrupted: 0 },
  });
};

const next = new FakeSession("calm-heron-1a2b");
next.onHeard = (heard) => {
  if (heard.method === "submit") next.emit({ type: "user_message", id: "n1", text: heard.text });
};

session.emit({ type: "session_started", model: "demo", workspace: session.workspace, mode: "ask" });
const tty = openTty({ stdin: process.stdin, stdout: process.stdout, env: process.env });
const end = await runChat({
  session,
  tty,
  stdout: process.stdout,
  env: process.env,
  version: "0.1.0",
  model: "demo",
  mode: "ask",
  historyFile,
  announce: "scripted for a test",
  now,
  services: servicesWith({
    folder: {
      files: async (_, letters) => ["src/a.ts", "src/long.ts", "README.md"].filter((file) => file.startsWith(letters)),
    },
    sessions: {
      begin: async () => {
        if (scene === "slow") await wait(500);
        return next;
      },
    },
    about: { diff: async () => changesOf(longPlan(3)) },
  }),
});
process.exitCode = end.exitCode;
