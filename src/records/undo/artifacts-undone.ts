import {
  type Artifact,
  type ArtifactVersion,
  artifactsOf,
  currentOf,
  makesArtifact,
  textOf,
} from "../../core/artifacts.ts";
import { type ToolCallInfo, undoToolName } from "../../core/call.ts";
import { nameIn } from "../../core/call-ref.ts";
import { type ArtifactTaken, SpanRefusal } from "../../tools/undo/take-back.ts";
import { callsInTree, type Tree, type TreeCall } from "../tree-calls.ts";
import { type NamedCall, namedBy, undoneCalls } from "./undone-calls.ts";

/** Tells whether the call made a version of an artifact, or took some back. */
export function changesArtifacts({ call }: TreeCall, all: readonly TreeCall[]): boolean {
  if (call.status !== "success") return false;
  if (call.toolName !== undoToolName) return isVersion(call);
  const named = new Set(namedBy(call));
  return all.some((one) => named.has(one.name) && changesArtifacts(one, all));
}

const isVersion = (call: ToolCallInfo): boolean =>
  makesArtifact(call) && call.effect === "store" && call.status === "success";

const isUndo = ({ toolName, status }: ToolCallInfo): boolean => toolName === undoToolName && status === "success";

/**
 * Lists the artifacts of the tree that change where these calls are taken back, or an undo among them is: as their record is, and as it will be.
 * @param names of calls in the tree
 * @throws SpanRefusal where a version that stays came after one of them
 */
export function artifactsTaken(tree: Tree, names: readonly string[]): ArtifactTaken[] {
  const made = callsInTree(tree).filter(({ call }) => isVersion(call));
  if (made.length === 0) return [];
  const own = tree.journal.allCalls();
  const command: NamedCall = {
    callId: "",
    toolName: undoToolName,
    status: "success",
    arguments: { calls: [...names] },
  };
  const [now, then] = [undoneCalls(own), undoneCalls([...own, command])];
  const moves = (callId: string): boolean => now.has(callId) !== then.has(callId);
  // It is moved by what is asked for itself, or through an undo that this moves.
  const taker = (name: string): string => {
    if (names.includes(name)) return name;
    const undo = own.find((call) => isUndo(call) && moves(call.callId) && namedBy(call).includes(name));
    return undo === undefined ? name : taker(undo.callId);
  };
  return [...new Set(made.map(({ journal }) => journal.session))].flatMap((session) => {
    const calls = made.filter(({ journal }) => journal.session === session);
    const as = (undone: ReadonlyMap<string, string>) =>
      artifactsOf(
        calls.map(({ call }) => call),
        new Set(calls.filter(({ name }) => undone.has(name)).map(({ call }) => call.callId)),
      );
    const after = as(then);
    return as(now).flatMap((before, at) => {
      const [became] = after.slice(at, at + 1);
      const name = nameIn(tree.journal.session, { session, call: before.id });
      return became === undefined ? [] : takenOf({ name, before, after: became, calls, taker });
    });
  });
}

interface Taking {
  /** The artifact's, in the session. */
  name: string;
  before: Artifact;
  after: Artifact;
  calls: readonly TreeCall[];
  /** By a call that made a version, the call that is to be taken back for it. */
  taker(name: string): string;
}

function takenOf({ name: address, before, after, calls, taker }: Taking): ArtifactTaken[] {
  const isMoved = (version: ArtifactVersion, at: number): boolean =>
    version.takenBack !== after.versions[at]?.takenBack;
  const [first] = before.versions.filter(isMoved);
  if (first === undefined) return [];
  const nameOf = ({ callId }: ArtifactVersion): string =>
    calls.find(({ call }) => call.callId === callId)?.name ?? callId;
  const later = before.versions.find(
    (version, at) => version.version > first.version && version.takenBack !== true && !isMoved(version, at),
  );
  if (later !== undefined) {
    const named = taker(nameOf(first));
    const why = `version ${later.version} came after it, by call ${nameOf(later)}: take that back too`;
    throw new SpanRefusal("STALE", { callIds: [named] }, `call ${named} cannot be taken back from ${address}: ${why}`);
  }
  const [was, becomes] = [sideOf(before), sideOf(after)];
  return [{ address, name: before.name, before: was, after: becomes }];
}

function sideOf(artifact: Artifact): ArtifactTaken["after"] {
  const version = currentOf(artifact);
  if (version === undefined) return null;
  return { version: version.version, sha: version.sha, text: textOf(artifact, version) ?? "" };
}
