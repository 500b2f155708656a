import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { sha256 } from "../../core/json.ts";
import { defineTool, type TextEncoding, type Tool, type ToolContext } from "../../core/tool.ts";
import { encodeWhole, lineEnding, readText, type TextForm } from "../../files/bytes/text-form.ts";
import type { Content } from "../../files/diff/diff.ts";
import { applyChange, type CurrentFile, type FileChange, type FileRevision, planChange } from "./file-change.ts";

const args = z.strictObject({
  file_path: z.string().min(1).describe("File in the workspace."),
  content: z.string().describe("Its whole content."),
});

export interface WriteFileOptions {
  /** Runs between the last check and the rename: for tests of the race. */
  beforeRename?: () => void | Promise<void>;
}

/** Makes a file or replaces its whole content. Of an existing file encoding, byte order mark and CRLF are kept. */
export function createWriteFileTool(options: WriteFileOptions = {}): Tool {
  const change = ({ file_path, content }: z.infer<typeof args>): FileChange => ({
    verb: "write",
    asked: file_path,
    revise: (current, real, ctx) => revise(content, current, real, file_path, ctx),
    beforeRename: options.beforeRename,
  });
  return defineTool({
    name: "write_file",
    description:
      "Writes a whole file: makes it, with missing folders, or replaces all its content. To change a part of a file use edit_file.",
    args,
    risk: "medium",
    effect: "file",
    display: {
      en: { name: "Write file", params: { file_path: "File", content: "Content" } },
      zh: { name: "写入文件", params: { file_path: "文件", content: "内容" } },
    },
    checksPlan: true,
    plan: (request, ctx) => planChange(change(request), ctx),
    execute: (request, ctx) => applyChange(change(request), ctx),
  });
}

async function revise(
  content: string,
  current: CurrentFile,
  real: string,
  asked: string,
  ctx: ToolContext,
): Promise<FileRevision> {
  const warnings = unseen(current, real, ctx);
  const old = oldForm(current.bytes, asked, warnings);
  const form = formFor(content, old, warnings);
  const after = encodeWhole(form.text, form, asked);
  const same = current.bytes !== null && after.equals(current.bytes);
  const mark = form.bom && !form.text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return {
    after,
    eol: lineEnding(form.text),
    bom: form.bom,
    encoding: form.encoding,
    texts: { before: same ? mark + form.text : (old?.shown ?? ""), after: mark + form.text },
    warnings: same ? [] : warnings,
    done: same ? "already has this content, nothing was written" : current.bytes === null ? "made" : "content replaced",
  };
}

function unseen(current: CurrentFile, real: string, ctx: ToolContext): string[] {
  if (current.bytes === null || current.planned || ctx.seen === undefined) return [];
  const last = ctx.seen.last(real);
  if (last === undefined) return ["the file exists, and this session never read it: all its content is replaced"];
  return last === sha256(current.bytes) ? [] : ["the file has changed since this session last read it"];
}

interface OldForm {
  /** undefined: the file was no text. */
  form?: TextForm;
  shown: Content;
}

function oldForm(bytes: Buffer | null, asked: string, warnings: string[]): OldForm | undefined {
  if (bytes === null) return undefined;
  try {
    const form = readText(bytes, asked);
    return { form, shown: (form.bom ? "\uFEFF" : "") + form.text };
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    warnings.push(`${error.message}: it is replaced as a whole, its content is not shown`);
    return { shown: { bytes: bytes.length } };
  }
}

/** Content is written as given, but in the encoding of the file that was there, and with CRLF where it had nothing else. */
function formFor(
  content: string,
  old: OldForm | undefined,
  warnings: string[],
): { text: string; encoding: TextEncoding; bom: boolean } {
  const marked = content.startsWith("\uFEFF");
  const form = old?.form;
  if (form === undefined) return { text: content, encoding: "utf-8", bom: marked };
  const crlf = form.eol === "crlf" && content.includes("\n") && !content.includes("\r");
  if (crlf) warnings.push("the file has CRLF line endings: they are kept");
  const text = crlf ? content.replaceAll("\n", "\r\n") : content;
  if (form.encoding === "latin1" && /[^\x00-\xff]/u.test(text)) {
    warnings.push("the file was not UTF-8 (8-bit characters) and is written as UTF-8: the new content asks for it");
    return { text, encoding: "utf-8", bom: marked };
  }
  if (form.encoding !== "utf-8" || form.bom) {
    warnings.push(`the file is ${form.encoding}${form.bom ? " with a byte order mark" : ""}: this is kept`);
  }
  return { text, encoding: form.encoding, bom: form.bom || marked };
}
