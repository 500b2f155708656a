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

/** A version of an artifact, as one call made it. */
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
  /** Bytes of text that its call recorded, in UTF-8. */
  readonly bytes: number;
  /** The version in which it replaced something; undefined where its whole text was given. */
  readonly from?: number;
  /** Reads what it is made of; undefined where its call is lost. */
  made(): MadeText | undefined;
}

/** A whole text, or what is replaced in that of the version `from`. */
export type MadeText = { readonly text: string } | { readonly from: number; readonly replaced: readonly Replaced[] };

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

/** The content of a result's `metadata.artifact`; of a version that is no whole text it holds the replacements. */
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
export const artifactsOf = (
  calls: readonly RecordedCall[],
  takenBack: ReadonlySet<string> = new Set(),
  reads?: ReadCall,
): Artifacts => calls.reduce((made: Artifacts, call) => withCall(made, call, takenBack, reads), []);

/** A call's record, where it is read again each time; none is held in memory by it. */
export type ReadCall = (callId: string) => RecordedCall | undefined;

/** The same after one call more. One that is in it already, or made none, changes nothing. */
export function withCall(
  artifacts: Artifacts,
  call: RecordedCall,
  takenBack: ReadonlySet<string> = new Set(),
  reads: ReadCall = () => call,
): Artifacts {
  const found = versionIn(call, reads);
  if (found === undefined) return artifacts;
  const { id, version, name, type } = found;
  const known = artifacts.find((one) => one.id === id);
  if ((known === undefined) !== (version.how === "create")) return artifacts;
  const kept = takenBack.has(call.callId) ? { ...version, takenBack: true as const } : version;
  if (known === undefined) return [...artifacts, { id, name, type, versions: [kept] }];
  if (known.versions.some(({ callId }) => callId === call.callId)) return artifacts;
  const versions = [...known.versions, kept];
  return artifacts.map((one) => (one === known ? { ...known, versions } : one));
}

/** Returns its newest version that is not taken back; undefined where all of it is taken back. */
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
  let [at, made] = [version, version.made()];
  while (made !== undefined && "from" in made) {
    steps.push(made.replaced);
    const before: ArtifactVersion | undefined = made.from < at.version ? versionOf(artifact, made.from) : undefined;
    if (before === undefined) return undefined;
    [at, made] = [before, before.made()];
  }
  if (made === undefined) return undefined;
  const text = steps.reduceRight((before, replaced) => withReplaced(before, replaced), made.text);
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
function versionIn(call: RecordedCall, reads: ReadCall): Found | undefined {
  const { callId, toolName, effect, status, arguments: args, times } = call;
  if (!isMaker(toolName) || effect !== "store" || status !== "success") return undefined;
  const note = noteOf(call);
  const how = artifactMakers[toolName];
  const made = madeBy(call);
  if (note === undefined || made === undefined) return undefined;
  const { name, type } = args;
  if (how === "create" && (typeof name !== "string" || typeof type !== "string")) return undefined;
  const { id, version, sha } = note;
  return {
    ...{ id, name: String(name).trim(), type: String(type).trim() },
    version: {
      ...{ version, callId, how, sha, at: times.settled ?? 0, bytes: bytesIn(made) },
      ...("from" in made ? { from: made.from } : {}),
      made: () => madeBy(reads(callId)),
    },
  };
}

export const bytesIn = (made: MadeText): number =>
  ("text" in made ? [made] : made.replaced).reduce((all, { text }) => all + Buffer.byteLength(text), 0);

const noteOf = ({ result }: RecordedCall): ArtifactNote | undefined => noteIn(result?.metadata?.["artifact"]);

/** Returns the text, or the replacements, that a call that made a version recorded of it. */
export function madeBy(call: RecordedCall | undefined): MadeText | undefined {
  if (call === undefined) return undefined;
  if (call.toolName === ("update_artifact" satisfies ArtifactMaker)) {
    const { from, replaced } = noteOf(call) ?? {};
    return from === undefined || replaced === undefined ? undefined : { from, replaced };
  }
  const { content } = call.arguments;
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
