import { z } from "zod";
import {
  type Artifact,
  type ArtifactMaker,
  type ArtifactNote,
  type Artifacts,
  type ArtifactVersion,
  artifactReader,
  bytesIn,
  currentOf,
  type MadeText,
  nextId,
  nextVersion,
  type Replaced,
  textOf,
  withReplaced,
} from "../../core/artifacts.ts";
import { addressOf } from "../../core/call-ref.ts";
import { ToolRefusal } from "../../core/codes.ts";
import { type JsonObject, sha256 } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { lineEnding, type TextForm } from "../../files/bytes/text-form.ts";
import { diffOf } from "../../files/diff/diff.ts";
import { recordedDiff } from "../../files/diff/diff-text.ts";
import { asBuiltIn } from "../built-in.ts";
import { matchEdit } from "../files/edit-match.ts";
import { lineProblem } from "../use/one-line.ts";
import { artifactsHere, findArtifact, invalid, ownArtifact, textIn, wantedVersion } from "./find-artifact.ts";

/**
 * Texts that a session keeps with all their versions, and no files. Nothing is stored of them but calls: each success is a version, read
 * from its own record (`core/artifacts.ts`), so it is made once that is committed, and never twice.
 */
export const createArtifactTools = (): Tool[] =>
  [createTool(), readTool(), updateTool(), rewriteTool()].map((tool) => asBuiltIn(tool));

const id = z.string();

const kept = (name: ArtifactMaker) => ({ name, risk: "low", effect: "store", outlasts: false }) as const;

const createTool = (): Tool =>
  defineTool({
    ...kept("create_artifact"),
    description: "Keeps a text in the session, with its versions; no file.",
    args: z.strictObject({ name: z.string(), type: z.string().describe("markdown, html, …"), content: z.string() }),
    display: {
      en: { name: "Create artifact", params: { name: "Name", type: "Type", content: "Content" } },
      zh: { name: "创建文稿", params: { name: "名称", type: "类型", content: "内容" } },
    },
    validate: ({ name, type, content }) =>
      lineProblem("name", name, limits.artifactName.most) ??
      lineProblem("type", type, limits.artifactType.most) ??
      contentProblem("content", content),
    execute({ name, type, content }, ctx) {
      const before = artifactsHere(ctx);
      const there = before.filter((one) => currentOf(one) !== undefined).length;
      if (there >= limits.artifacts.most)
        throw invalid(`there are ${there} artifacts, and more are not kept: rewrite one of them`);
      checkRoom(before, { text: content });
      const made = { id: nextId(before), name: name.trim(), type: type.trim() };
      return madeVersion(made, { version: 1, before: null, text: content, said: `is made${forOthers(made.id, ctx)}` });
    },
  });

/** The length, in characters, above which a text that was read is sent once, and its head from then on. */
const longText = 4_000;

const readTool = (): Tool =>
  defineTool({
    name: artifactReader,
    description: "Reads one by its id; a helper's by SESSION:id.",
    args: z.strictObject({
      id,
      version: z.number().int().min(1).optional().describe("By default the last."),
    }),
    risk: "low",
    effect: "none",
    display: {
      en: { name: "Read artifact", params: { id: "Artifact", version: "Version" } },
      zh: { name: "读取文稿", params: { id: "文稿", version: "版本" } },
    },
    execute({ id: asked, version }, ctx) {
      const artifact = findArtifact(asked, ctx);
      const wanted = wantedVersion(artifact, asked, version);
      const text = textIn(artifact, wanted);
      const last = currentOf(artifact)?.version ?? 0;
      const place = wanted.version === last ? "" : wanted.takenBack === true ? ", taken back" : `, the last is ${last}`;
      const title = `${artifact.id} ${artifact.name} version ${wanted.version}`;
      const head = `${asked}: ${whatOf(artifact)}, version ${wanted.version}${place}, ${linesText(text)}`;
      const result = { output: `${head}\n\n${text}`, title };
      return text.length <= longText ? result : { ...result, outputOnce: true, longTermMemory: head };
    },
  });

const updateTool = (): Tool =>
  defineTool({
    ...kept("update_artifact"),
    description: "Replaces one place of its text, as edit_file's mode flexible.",
    args: z.strictObject({ id, old_string: z.string(), new_string: z.string() }),
    display: {
      en: { name: "Update artifact", params: { id: "Artifact", old_string: "Old", new_string: "New" } },
      zh: { name: "修改文稿", params: { id: "文稿", old_string: "原文", new_string: "新文" } },
    },
    validate: ({ old_string, new_string }) =>
      contentProblem("old_string", old_string) ?? contentProblem("new_string", new_string),
    async execute({ id: asked, old_string, new_string }, ctx) {
      const { artifact, now } = changed(asked, ctx);
      const before = textIn(artifact, now);
      const { splices, lines } = await matchEdit(
        formOf(before),
        { old_string, new_string, mode: "flexible", replace_all: false },
        { signal: ctx.signal, regexTimeoutMs: 0, edited: { what: "artifact", whole: "rewrite_artifact" } },
      );
      const made = { from: now.version, replaced: splices.map(({ start, end, text }) => ({ start, end, text })) };
      checkRoom(artifactsHere(ctx), made);
      const text = withReplaced(before, made.replaced);
      const said = `has other text at line ${lines[0]}`;
      return madeVersion(artifact, { version: nextVersion(artifact), before, text, ...made, said });
    },
  });

const rewriteTool = (): Tool =>
  defineTool({
    ...kept("rewrite_artifact"),
    description: "Gives it a whole new text.",
    args: z.strictObject({ id, content: z.string() }),
    display: {
      en: { name: "Rewrite artifact", params: { id: "Artifact", content: "Content" } },
      zh: { name: "重写文稿", params: { id: "文稿", content: "内容" } },
    },
    validate: ({ content }) => contentProblem("content", content),
    execute({ id: asked, content }, ctx) {
      const { artifact, now } = changed(asked, ctx);
      checkRoom(artifactsHere(ctx), { text: content });
      // Where the record of the text before is damaged this is how it is mended.
      const before = textOf(artifact, now) ?? null;
      return madeVersion(artifact, { version: nextVersion(artifact), before, text: content, said: "is rewritten" });
    },
  });

/** An artifact that a call may change, as it is now. */
function changed(asked: string, ctx: ToolContext): { artifact: Artifact; now: ArtifactVersion } {
  const artifact = ownArtifact(asked, ctx);
  if (artifact.versions.length >= limits.artifactVersions.most)
    throw invalid(
      `${asked} has ${artifact.versions.length} versions, and more are not kept: go on in a new one, by create_artifact`,
    );
  return { artifact, now: wantedVersion(artifact, asked) };
}

/** @throws ToolRefusal where the session would keep more than it may */
function checkRoom(all: Artifacts, made: MadeText): void {
  const { most } = limits.artifactBytes;
  const kept = all.flatMap(({ versions }) => versions).reduce((sum, { bytes }) => sum + bytes, 0);
  if (kept + bytesIn(made) <= most) return;
  throw invalid(
    `all versions of this session's artifacts have ${kept} bytes, and ${most} are the most: write a file, or change less of the text`,
  );
}

function contentProblem(what: string, text: string): string | undefined {
  if (text.includes("\0")) return `the ${what} holds NUL, which is no text: leave it out`;
  if (/\p{Surrogate}/u.test(text)) return `the ${what} holds half of a surrogate pair, which is no character`;
  return sizeProblem(what, text);
}

function sizeProblem(what: string, text: string): string | undefined {
  const { most } = limits.artifactContent;
  const bytes = Buffer.byteLength(text);
  return bytes <= most
    ? undefined
    : `the ${what} has ${bytes} bytes, and ${most} are the most of one artifact: make several, or write a file`;
}

/** A text as what an edit is matched in. */
const formOf = (text: string): TextForm => ({
  ...{ encoding: "utf-8", bom: false, eol: lineEnding(text), text },
  bytes: Buffer.from(text, "utf8"),
});

interface Made {
  version: number;
  before: string | null;
  text: string;
  /** The parts that it replaced in the version `from`, where it was not given whole. */
  replaced?: readonly Replaced[];
  from?: number;
  said: string;
}

/** Makes the record of a version: the artifact is read from it. */
function madeVersion(of: Pick<Artifact, "id" | "name" | "type">, made: Made): ToolResult {
  const { version, before, text, replaced, from, said } = made;
  if (before === text) throw new ToolRefusal("NO_CHANGE", `${of.id} has this very text already: it stays as it is`);
  const wrong = sizeProblem("text", text);
  if (wrong !== undefined) throw invalid(wrong);
  const change = diffOf(before, text, of.name);
  const { added, removed } = change;
  const { changes } = recordedDiff([{ name: of.name, kind: version === 1 ? "new" : "modify", ...change }]);
  const artifact: ArtifactNote = {
    ...{ id: of.id, version, sha: sha256(Buffer.from(text, "utf8")) },
    ...(replaced === undefined || from === undefined ? {} : { from, replaced }),
  };
  const named = version === 1 ? `${of.name} ${of.id}` : `${of.id} ${of.name}`;
  return {
    output: `${of.id} ${said}: version ${version} of ${whatOf(of)}, ${linesText(text)}.`,
    title: `${named} version ${version} (+${added} -${removed})`,
    metadata: { artifact: artifact as unknown as JsonObject, changes, added, removed },
  };
}

const whatOf = ({ name, type }: Pick<Artifact, "name" | "type">): string => `${JSON.stringify(name)} (${type})`;

function linesText(text: string): string {
  const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return lines === 1 ? "1 line" : `${lines} lines`;
}

/** A helper is told how others name it. */
const forOthers = (made: string, { sessionId }: ToolContext): string =>
  !sessionId.includes("@") ? "" : `, for other sessions ${addressOf({ session: sessionId, call: made })}`;
