import { z } from "zod";
import { oneLine } from "../../core/fence.ts";
import { limits } from "../../core/limits.ts";
import { readStrictJson } from "../../core/strict-json.ts";

/** A reason for a verdict or against it, with its place: words, of which nothing is opened. */
export interface Reason {
  text: string;
  file?: string;
  line?: number;
}

export interface Judgement {
  verdict: "pass" | "fail" | "unsure";
  reasons: Reason[];
  suggestions: string[];
}

const words = z.string().trim().min(1);
const form = z.strictObject({
  verdict: z.enum(["pass", "fail", "unsure"]),
  reasons: z.array(z.strictObject({ text: words, file: words.optional(), line: z.int().positive().optional() })).min(1),
  suggestions: z.array(words).default([]),
});

/** The instruction to a judge on its last message. */
export const verdictForm =
  'Your last message is this JSON object and no word beside it: {"verdict": "pass" or "fail", or "unsure" where you could not find out, "reasons": [{"text": "…", "file": "src/a.ts", "line": 12}, …], "suggestions": ["…", …]}. There is a reason at least; file and line are left out where there are none.';

const longest = 1_000;

/** Reads a judge's last message; undefined where it is anything but the form, so that no words in it can be taken for a verdict. */
export function judgementIn(text: string): Judgement | undefined {
  if (text.length > limits.childReport.most) return undefined;
  const [, fenced] = /^```(?:json)?\n([\s\S]*)\n```$/u.exec(text.trim()) ?? [];
  const read = readStrictJson(fenced ?? text);
  const { data } = read.ok ? form.safeParse(read.value) : {};
  if (data === undefined) return undefined;
  return {
    verdict: data.verdict,
    reasons: data.reasons.map(({ text: said, file, line }) => ({
      text: oneLine(said, longest),
      ...(file === undefined ? {} : { file: oneLine(file, longest) }),
      ...(line === undefined ? {} : { line }),
    })),
    suggestions: data.suggestions.map((one) => oneLine(one, longest)),
  };
}

/** A line each. */
export const judgementLines = ({ reasons, suggestions }: Judgement): string[] => [
  ...reasons.map(({ text, file, line }) => {
    const place = [file, line].filter((part) => part !== undefined).join(":");
    return place === "" ? text : `${place}: ${text}`;
  }),
  ...suggestions.map((text) => `suggestion: ${text}`),
];
