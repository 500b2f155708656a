import type { UnsettledCall, WaitingCall } from "../../src/graph/events.ts";
import { asks, type Reply, says } from "../support/model-server.ts";

/** The one session that all faults are tried on: what the person asks, what the model says, what the person answers. */
export const prompt = "Bring the notes up to date.";

/** What the person says while the colours wait for their answer. */
export const steer = "Keep the lines short.";

/** What they say before that, and take back. */
export const takenBack = "Make the lines long.";

export const driftingFile = "drifting.txt";
export const personsLine = "saved by the person\n";

export const filesBefore: Readonly<Record<string, { text: string; mode: number }>> = {
  "docs/AGENTS.md": { text: "Write short.\n", mode: 0o644 },
  "docs/read.txt": { text: "read\n", mode: 0o644 },
  "kept.txt": { text: "never touched\n", mode: 0o644 },
  "edited.sh": { text: "#!/bin/sh\necho one\n", mode: 0o755 },
  "twice.txt": { text: "red\ngreen\n", mode: 0o640 },
  [driftingFile]: { text: "early\n", mode: 0o644 },
};

export const filesAfter: Readonly<Record<string, { text: string; mode: number }>> = {
  "edited.sh": { text: "#!/bin/sh\necho two\n", mode: 0o755 },
  "notes/new.txt": { text: "a new file\n", mode: 0o644 },
  "twice.txt": { text: "red\nyellow\n", mode: 0o640 },
  [driftingFile]: { text: `late\n${personsLine}`, mode: 0o644 },
};

export const denied = "blue";
/** What the person approves from now on, and not only this once. */
export const granted = "yellow";

const replies: readonly Reply[] = [
  asks(
    "read_file",
    { file_path: "edited.sh" },
    {
      text: "I look first.",
      calls: [
        { name: "read_file", arguments: { file_path: "missing.txt" } },
        { name: "read_file", arguments: { file_path: "docs/read.txt" } },
      ],
    },
  ),
  asks(
    "edit_file",
    { file_path: "edited.sh", old_string: "one", new_string: "two" },
    {
      calls: [{ name: "write_file", arguments: { file_path: "notes/new.txt", content: "a new file\n" } }],
    },
  ),
  asks(
    "edit_file",
    { file_path: "twice.txt", old_string: "red", new_string: denied },
    {
      text: "Both colours.",
      calls: [
        { name: "edit_file", arguments: { file_path: "twice.txt", old_string: "green", new_string: granted } },
        { name: "edit_file", arguments: { file_path: "absent.txt", old_string: "a", new_string: "b" } },
        { name: "write_file", arguments: { file_path: ".git/config", content: "[alias]\n" } },
      ],
    },
  ),
  asks(
    "append_log",
    { note: "alpha" },
    {
      calls: [
        { name: "append_log", arguments: { note: "beta" } },
        { name: "shell", arguments: { command: `printf '{"callId":"c12","note":"gamma"}\\n' >> "$EFFECTS"` } },
      ],
    },
  ),
  asks(
    "edit_file",
    { file_path: driftingFile, old_string: "early", new_string: "late" },
    {
      calls: [{ name: "save_memory", arguments: { fact: "The notes are kept in notes/." } }],
    },
  ),
  // The model is told that it said nothing, and says more.
  says(""),
  says("All is up to date."),
];

export const memoryLine = "The notes are kept in notes/.";

/** The talk is to be summed up: no part of it. */
export const asksForSummary = ({ body }: { body: { messages: readonly { content?: unknown }[] } }): boolean =>
  String(body.messages.at(-1)?.content).startsWith("[compaction]");

/** Replies by how often the model has spoken, so that a request that is sent again is answered the same. */
export function replyTo(request: { body: { messages: readonly { role: string; content?: unknown }[] } }): Reply {
  if (asksForSummary(request)) return says("## Goal\nnotes that are up to date");
  const spoken = request.body.messages.filter((message) => message.role === "assistant").length;
  return replies[spoken] ?? says("I have nothing more to say.");
}

/** A person who wants no more of an undo that stopped half-way. */
export const hadEnough: Readonly<Record<string, string>> = { HOLDFAST_PERSON: "had enough" };

/** The person decides about this one in a process that does not drive the session. */
export const answeredElsewhere = ({ toolName, arguments: args }: WaitingCall): boolean =>
  toolName === "edit_file" && args["file_path"] === "edited.sh";

const isRestOfUndo = ({ toolName, changed }: WaitingCall): boolean =>
  toolName === "undo_changes" && changed !== undefined;

/** What the person decides, as flags of `agent resume`. @param person their mood, as `hadEnough` says it */
export function decisionsOn(
  waiting: readonly WaitingCall[],
  unsettled: readonly UnsettledCall[],
  person: string | undefined,
): string[] {
  const enough = person === hadEnough["HOLDFAST_PERSON"];
  const denials = waiting.filter((call) => call.arguments["new_string"] === denied || (enough && isRestOfUndo(call)));
  const approvals = waiting.filter((call) => !denials.includes(call));
  return [
    ...denials.flatMap((call) => ["--deny", call.callId, "--reason", "not blue"]),
    ...approvals.flatMap((call) => ["--approve", `${call.callId}@${call.digest}`]),
    ...unsettled.flatMap((call) => [recoveryFlag(call), call.callId]),
  ];
}

/** What may happen only once is never repeated; a file that was saved by somebody meanwhile is planned anew. */
function recoveryFlag(call: UnsettledCall): string {
  if (call.effect === "file") return "--retry";
  return call.arguments["note"] === "beta" ? "--done" : "--cancel";
}
