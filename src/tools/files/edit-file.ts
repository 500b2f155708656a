import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { sha256 } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { defineTool, type Tool, type ToolContext } from "../../core/tool.ts";
import { readAs, readText, spliceBytes } from "../../files/bytes/text-form.ts";
import { nearNames } from "../../files/near-names.ts";
import { matchEdit } from "./edit-match.ts";
import {
  applyChange,
  type CurrentFile,
  type FileChange,
  type FileRevision,
  missing,
  planChange,
} from "./file-change.ts";

const args = z.strictObject({
  file_path: z.string().min(1).describe("File in the workspace."),
  old_string: z
    .string()
    .describe(
      "The text to replace, exactly as read_file shows it, without the line numbers; with enough lines around it to be unique. In mode regex a JavaScript pattern.",
    ),
  new_string: z
    .string()
    .describe("What replaces it, literally; in mode regex $1, $<name>, $& and $$ have their meaning."),
  mode: z
    .enum(["exact", "flexible", "regex"])
    .default("exact")
    .describe(
      "flexible: whole lines whose white space may differ, in one place; the new text takes the file's indentation. regex: ^ and $ match at lines.",
    ),
  replace_all: z.boolean().default(false).describe("Replace every match."),
});

type Args = z.infer<typeof args>;

export interface EditFileOptions {
  /** The time that a pattern may run, in milliseconds. */
  regexTimeoutMs?: number;
  /** Runs between the last check and the rename: for tests of the race. */
  beforeRename?: () => void | Promise<void>;
}

/** Replaces a part of a text file; every byte that is not replaced stays as it is. */
export function createEditFileTool(options: EditFileOptions = {}): Tool {
  const change = (request: Args): FileChange => ({
    verb: "edit",
    asked: request.file_path,
    revise: (current, real, ctx) =>
      revise(request, current, real, ctx, options.regexTimeoutMs ?? limits.regexTime.most),
    beforeRename: options.beforeRename,
  });
  return defineTool({
    name: "edit_file",
    description:
      "Replaces text in a file. Read the file first. old_string must match exactly one place unless replace_all is set. Line endings, encoding and all other content stay as they are.",
    args,
    risk: "medium",
    effect: "file",
    display: {
      en: {
        name: "Edit file",
        params: { file_path: "File", old_string: "Old", new_string: "New", mode: "Mode", replace_all: "All" },
      },
      zh: {
        name: "编辑文件",
        params: { file_path: "文件", old_string: "原文", new_string: "新文", mode: "模式", replace_all: "全部替换" },
      },
    },
    validate: ({ mode, replace_all, old_string }) => {
      if (mode === "flexible" && replace_all)
        return "replace_all cannot be combined with mode flexible: it needs one place";
      return /\p{Surrogate}/u.test(old_string)
        ? "old_string holds half of a character beyond U+FFFF (a lone surrogate): give the whole character"
        : undefined;
    },
    checksPlan: true,
    plan: (request, ctx) => planChange(change(request), ctx),
    execute: (request, ctx) => applyChange(change(request), ctx),
  });
}

async function revise(
  request: Args,
  current: CurrentFile,
  real: string,
  ctx: ToolContext,
  regexTimeoutMs: number,
): Promise<FileRevision> {
  const asked = request.file_path;
  if (current.bytes === null) throw missing(asked, await nearNames(real, asked, ctx.mayTell));
  refuseUnseen(current, current.bytes, real, asked, ctx);
  const form = readText(current.bytes, asked);
  const { splices, lines } = await matchEdit(form, request, { signal: ctx.signal, regexTimeoutMs });
  const after = spliceBytes(form, splices, asked);
  if (after.equals(current.bytes)) {
    throw new ToolRefusal("NO_CHANGE", `the file already has the new text there: ${asked} would stay as it is`);
  }
  const revised = readAs(after, form, asked);
  const mark = form.bom ? "\uFEFF" : "";
  return {
    after,
    eol: revised.eol,
    bom: form.bom,
    encoding: form.encoding,
    texts: { before: mark + form.text, after: mark + revised.text },
    warnings: [],
    done:
      lines.length === 1
        ? `replaced text at line ${lines[0]}`
        : `replaced ${lines.length} places (lines ${listed(lines)})`,
  };
}

/** An edit is made of what the session last saw; what an earlier call of the message will leave counts as seen. */
function refuseUnseen(current: CurrentFile, bytes: Buffer, real: string, asked: string, ctx: ToolContext): void {
  const seen = ctx.seen?.last(real);
  if (current.planned || seen === undefined || seen === sha256(bytes)) return;
  throw new ToolRefusal(
    "STALE",
    `${asked} has changed since you last read it: read it again, then edit what is there now`,
  );
}

function listed(lines: readonly number[]): string {
  const most = 10;
  return lines.slice(0, most).join(", ") + (lines.length > most ? ` and ${lines.length - most} more` : "");
}
