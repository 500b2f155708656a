import type { Span, StyledLine } from "./span.ts";
import { colorCodes, type Theme } from "./theme.ts";

export interface ColorSupport {
  color: boolean;
  /** Bold, underline and the like; they stay under NO_COLOR, which speaks of colour only. */
  styles: boolean;
  /** The terminal cannot move its cursor: plain lines only. */
  dumb: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Decides which styles are sent to a stream. FORCE_COLOR decides where it is set (0 and false mean none); then a stream that is no terminal
 * and TERM=dumb get no styles at all; a NO_COLOR that is not empty turns colour off.
 */
export function colorSupport(env: Environment, isTty: boolean): ColorSupport {
  const force = env["FORCE_COLOR"];
  const dumb = env["TERM"] === "dumb";
  if (force !== undefined) {
    const on = force !== "0" && force !== "false";
    return { color: on, styles: on, dumb };
  }
  const styles = isTty && !dumb;
  return { color: styles && !env["NO_COLOR"], styles, dumb };
}

/** Variables by which some libraries decide that they run in CI and then draw nothing, on a real terminal too. */
const CI_VARIABLES = [
  "CI",
  "CONTINUOUS_INTEGRATION",
  "BUILD_NUMBER",
  "GITHUB_ACTIONS",
  "GITLAB_CI",
  "CIRCLECI",
  "TRAVIS",
  "JENKINS_URL",
  "BUILDKITE",
  "TF_BUILD",
];

/**
 * Finds the changes to the process's environment, before the drawing library is loaded, so that it follows the rules above on a terminal:
 * it knows FORCE_COLOR but not NO_COLOR, and falls silent under CI.
 */
export function drawingEnvironment(env: Environment): { set: Record<string, string>; unset: string[] } {
  const unset = Object.keys(env).filter((name) => CI_VARIABLES.includes(name) || name.startsWith("CI_"));
  if (env["FORCE_COLOR"] !== undefined || colorSupport(env, true).color) return { set: {}, unset };
  return { set: { FORCE_COLOR: "0" }, unset };
}

const RESET = "\x1b[0m";

/** A styled line as text with ANSI codes, as far as the stream takes them. The text itself must be sanitised already. */
export function toAnsi(line: StyledLine, support: ColorSupport, theme: Theme = terminalsOwn): string {
  return line.map((span) => spanToAnsi(span, support, theme)).join("");
}

const terminalsOwn: Theme = { name: "ansi-16", depth: 16 };

function spanToAnsi(span: Span, support: ColorSupport, theme: Theme): string {
  const codes = support.styles ? [...styleCodes(span), ...(support.color ? colorCodes(span, theme) : [])] : [];
  return codes.length === 0 ? span.text : `\x1b[${codes.join(";")}m${span.text}${RESET}`;
}

function styleCodes(span: Span): number[] {
  const pairs: [boolean | undefined, number][] = [
    [span.bold, 1],
    [span.dim, 2],
    [span.italic, 3],
    [span.underline, 4],
    [span.inverse, 7],
    [span.strikethrough, 9],
  ];
  return pairs.filter(([on]) => on === true).map(([, code]) => code);
}
