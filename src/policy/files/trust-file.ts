import { z } from "zod";
import { lineAt, plainValue } from "../../core/json-text.ts";
import { PolicyProblem } from "../problem.ts";
import { readByHand } from "./policy-file.ts";

const sha = z.string().regex(/^[0-9a-f]{64}$/u);
const table = z.strictObject({
  v: z.literal(1),
  trusted: z.array(z.strictObject({ workspace: z.string().min(1), files: z.record(z.string(), sha), at: z.number() })),
});

/** One trusted workspace: the bytes of each file, relative path -> sha256, that the person was shown. */
export type TrustRow = z.infer<typeof table>["trusted"][number];

/** @throws PolicyProblem when the text is not a table of trusted workspaces; it is never taken for an empty one. */
export function parseTrusted(text: string | undefined, file: string): TrustRow[] {
  if (text === undefined) return [];
  const root = readByHand(text, file);
  const read = table.safeParse(plainValue(root));
  if (read.success) return read.data.trusted;
  const message = `this is not a table of trusted workspaces: ${z.prettifyError(read.error)}`;
  throw new PolicyProblem([{ file, line: lineAt(root, read.error.issues[0]?.path ?? []), message }]);
}

export const writeTrusted = (trusted: TrustRow[]): string => `${JSON.stringify({ v: 1, trusted }, null, 2)}\n`;
