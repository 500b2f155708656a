import {
  type Artifact,
  type Artifacts,
  type ArtifactVersion,
  currentOf,
  textOf,
  versionOf,
} from "../../core/artifacts.ts";
import { readCallName } from "../../core/call-ref.ts";
import { ToolRefusal } from "../../core/codes.ts";
import type { ToolContext } from "../../core/tool.ts";

export const invalid = (message: string): ToolRefusal => new ToolRefusal("INVALID_ARGUMENT", message);

/** @throws ToolRefusal outside of a session */
export function artifactsHere({ artifacts }: ToolContext): Artifacts {
  const found = artifacts?.();
  if (found !== undefined) return found;
  throw new ToolRefusal("NOT_FOUND", "artifacts are kept with a session, and there is none here: write a file");
}

/** `a1` of the call's own session, or `SESSION:a1` of another one of its tree. @throws ToolRefusal NOT_FOUND */
export function findArtifact(asked: string, ctx: ToolContext): Artifact {
  const own = artifactsHere(ctx);
  const { session, call: id = asked } = readCallName(asked) ?? {};
  const isOwn = session === undefined || session === ctx.sessionId;
  const among = isOwn ? own : ctx.artifacts?.(session);
  if (among === undefined)
    throw new ToolRefusal("NOT_FOUND", `no session ${session} works for this one, or with it; ${theIds(own)}`);
  const found = among.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw new ToolRefusal("NOT_FOUND", `there is no artifact ${JSON.stringify(asked)}; ${theIds(among)}`);
}

/** The same of one that the session may change. @throws ToolRefusal */
export function ownArtifact(asked: string, ctx: ToolContext): Artifact {
  const { session = ctx.sessionId } = readCallName(asked) ?? {};
  if (session === ctx.sessionId) return findArtifact(asked, ctx);
  throw invalid(`${asked} is another session's, which alone changes it: read it, then create one of your own`);
}

/** The last that holds, or that one. @throws ToolRefusal NOT_FOUND */
export function wantedVersion(artifact: Artifact, asked: string, version?: number): ArtifactVersion {
  const last = currentOf(artifact);
  const found = version === undefined ? last : versionOf(artifact, version);
  if (found !== undefined) return found;
  if (version === undefined)
    throw new ToolRefusal("NOT_FOUND", `the person has taken ${asked} back: create another one if they want it again`);
  const all = artifact.versions.length === 1 ? "version 1 alone" : `versions 1 to ${artifact.versions.at(-1)?.version}`;
  throw new ToolRefusal("NOT_FOUND", `${asked} has no version ${version}: it has ${all}`);
}

/** @throws ToolRefusal EIO where the record is damaged */
export function textIn(artifact: Artifact, version: ArtifactVersion): string {
  const text = textOf(artifact, version);
  if (text !== undefined) return text;
  const message = `the record of ${artifact.id} version ${version.version} does not have the bytes that it names`;
  throw new ToolRefusal("EIO", message);
}

const mostNamed = 20;

function theIds(artifacts: Artifacts): string {
  if (artifacts.length === 0) return "there are none yet: create one";
  const named = artifacts.slice(-mostNamed).map(({ id, name }) => `${id} ${JSON.stringify(name)}`);
  const before = artifacts.length > mostNamed ? `${artifacts.length - mostNamed} before, ` : "";
  return `there ${artifacts.length === 1 ? "is" : "are"} ${before}${named.join(", ")}`;
}
