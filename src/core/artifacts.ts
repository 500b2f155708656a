import { isJsonObject, type Json, type JsonObject, type Sha, sha256 } from "./json.ts";

/** The tools whose successful calls are the versions of artifacts, each with what it does. */
export const artifactMakers = {
  create_artifact: "create",
  update_artifact: "update",
  rewrite_artifact: "rewrite",
} as const;
export const artifactReader = "read_artifact";

export type ArtifactMaker = keyof typeof artifactMakers;

/** Characters of the version before that were replaced: positions are those of its text, as a string of JavaScript has them. */
export interface Replaced {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What one call made of an artifact. */
export interface ArtifactVersion {
  /** From 1; a version that is taken back keeps its number. */
  readonly version: number;
  readonly callId: string;
  readonly how: (typeof artifactMakers)[ArtifactMaker];
  /** Of its text in UTF-8. */
  readonly sha: Sha;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly takenBack?: true;
  /** Its whole text, or what it replaced in that of the version `from`. */
  readonly made: { readonly text: string } | { readonly from: number; readonly replaced: readonly Replaced[] };
}

/** A text of a session with all its versions; the last that is not taken back is what it is now. */
export interface Artifact {
  /** `a1`, `a2`, …: in the order in which they were made, none given twice. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly versions: readonly ArtifactVersion[];
}

export type Artifacts = readonly Artifact[];

/** Of a call's record what tells what it made. */
interface RecordedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly effect: string;
  readonly status: string;
  readonly arguments: JsonObject;
  readonly result?: { readonly metadata?: JsonObject };
  readonly times: { readonly settled?: number };
}

/** What a result's `metadata.artifact` says; a version that is no whole text says what it replaced. */
export interface ArtifactNote {
  readonly id: string;
  readonly version: number;
  readonly sha: Sha;
  readonly from?: number;
  readonly replaced?: readonly Replaced[];
}

export const makesArtifact = ({ toolName }: Pick<RecordedCall, "toolName">): boolean => isMaker(toolName);

const isMaker = (name: string): name is ArtifactMaker => Object.hasOwn(artifactMakers, name);

/** The calls that made a session's artifacts, in their order. */
export const artifactCalls = <Made extends { call: { callId: string } }>(journal: {
  succeeded(toolName: string): readonly Made[];
}): Made[] =>
  Object.keys(artifactMakers)
    .flatMap((name) => journal.succeeded(name))
    .toSorted((one, other) => numberOf(one.call.callId) - numberOf(other.call.callId));

const numberOf = (id: string): number => Number(id.slice(1));

// Keeps graph 21.
/**
 * Those that a session's calls made, in their order: nothing else is kept of them. What a call made is read from its own record, and
 * never worked out again.
 * @param takenBack calls that the person has taken back
 */
export function artifactsOf(calls: readonly RecordedCall[], takenBack: ReadonlySet<string> = new Set()): Artifacts {
  const made = new Map<string, Artifact>();
  for (const call of calls) {
    const found = versionIn(call);
    if (found === undefined) continue;
    const { id, version, name, type } = found;
    const known = made.get(id);
    if ((known === undefined) !== (version.how === "create")) continue;
    const kept = takenBack.has(call.callId) ? { ...version, takenBack: true as const } : version;
    made.set(
      id,
      known === undefined ? { id, name, type, versions: [kept] } : { ...known, versions: [...known.versions, kept] },
    );
  }
  return [...made.values()];
}

/** What it is now; undefined where all of it is taken back. */
export const currentOf = ({ versions }: Pick<Artifact, "versions">): ArtifactVersion | undefined =>
  versions.findLast(({ takenBack }) => takenBack !== true);

export const nextId = (artifacts: Artifacts): string =>
  `a${Math.max(0, ...artifacts.map(({ id }) => numberOf(id))) + 1}`;

export const nextVersion = ({ versions }: Pick<Artifact, "versions">): number =>
  Math.max(...versions.map(({ version }) => version)) + 1;

export const versionOf = ({ versions }: Pick<Artifact, "versions">, version: number): ArtifactVersion | undefined =>
  versions.find((one) => one.version === version);

/** The text of a version, as its call recorded it; undefined where the record does not lead to the bytes that it names. */
export function textOf(artifact: Pick<Artifact, "versions">, version: ArtifactVersion): string | undefined {
  const steps: (readonly Replaced[])[] = [];
  let at: ArtifactVersion | undefined = version;
  while (at !== undefined && "from" in at.made) {
    const { from, replaced }: { from: number; replaced: readonly Replaced[] } = at.made;
    steps.push(replaced);
    at = from < at.version ? versionOf(artifact, from) : undefined;
  }
  if (at === undefined || !("text" in at.made)) return undefined;
  const text = steps.reduceRight((before, replaced) => withReplaced(before, replaced), at.made.text);
  return sha256(Buffer.from(text, "utf8")) === version.sha ? text : undefined;
}

/** @param replaced neither overlapping nor out of order */
export function withReplaced(text: string, replaced: readonly Replaced[]): string {
  let [made, copied] = ["", 0];
  for (const { start, end, text: fresh } of replaced) {
    made += text.slice(copied, start) + fresh;
    copied = end;
  }
  return made + text.slice(copied);
}

interface Found {
  id: string;
  name: string;
  type: string;
  version: ArtifactVersion;
}

/** Undefined where the call made no version, or its record is none of these tools'. */
function versionIn({
  callId,
  toolName,
  effect,
  status,
  arguments: args,
  result,
  times,
}: RecordedCall): Found | undefined {
  if (!isMaker(toolName) || effect !== "store" || status !== "success") return undefined;
  const note = noteIn(result?.metadata?.["artifact"]);
  const how = artifactMakers[toolName];
  const made = note && madeIn(how, note, args);
  if (note === undefined || made === undefined) return undefined;
  const { name, type } = args;
  if (how === "create" && (typeof name !== "string" || typeof type !== "string")) return undefined;
  const { id, version, sha } = note;
  return {
    ...{ id, name: String(name).trim(), type: String(type).trim() },
    version: { version, callId, how, sha, at: times.settled ?? 0, made },
  };
}

function madeIn(
  how: ArtifactVersion["how"],
  { from, replaced }: ArtifactNote,
  { content }: JsonObject,
): ArtifactVersion["made"] | undefined {
  if (how === "update") return from === undefined || replaced === undefined ? undefined : { from, replaced };
  return typeof content === "string" ? { text: content } : undefined;
}

function noteIn(value: Json | undefined): ArtifactNote | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { id, version, sha, from, replaced } = value;
  if (typeof id !== "string" || !/^a[1-9]\d*$/.test(id) || typeof sha !== "string") return undefined;
  if (typeof version !== "number") return undefined;
  if (from === undefined && replaced === undefined) return { id, version, sha };
  if (typeof from !== "number" || !Array.isArray(replaced) || !replaced.every(isReplaced)) return undefined;
  return { id, version, sha, from, replaced: replaced as unknown as Replaced[] };
}

const isReplaced = (value: Json): boolean =>
  isJsonObject(value) &&
  typeof value["start"] === "number" &&
  typeof value["end"] === "number" &&
  typeof value["text"] === "string";
