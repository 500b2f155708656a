import type { ErrorCode } from "../../core/codes.ts";
import type { JsonObject, Sha } from "../../core/json.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { FileBytes, Plan, Tool } from "../../core/tool.ts";
import type { CallFacts, Verdict } from "../../policy/types.ts";
import type { RulesNow } from "./reach.ts";

/**
 * One call, ready: parsed once, planned on the bytes as they are, judged on what the plan found, bound by its digest. The one way
 * to use a tool, for a session as for `executeTool`.
 */
export interface PreparedCall {
  kind: "ready";
  tool: Tool;
  /** What the tool's methods take: defaults, transforms, injected and hidden fields included. */
  args: unknown;
  /** The same as plain JSON without the hidden fields, for journal and digest. */
  canonical: JsonObject;
  facts: CallFacts;
  verdict: Verdict;
  /** What the verdict was made by, as `markOf` gives it. */
  mark: string;
  plan: Plan;
  digest: Sha;
  /** Whether none of the plan's files was touched since, as far as a look at their names tells. */
  isUntouched(): Promise<boolean>;
  /** Contents of each file of the plan that the tool worked out, for its `execute` and for undo. */
  contents(real: string): FileBytes | undefined;
  /** Why it cannot be done, where that tells of files that are not read without asking: the model hears it after a yes alone. */
  fails?: { code: ErrorCode; message: string };
  /** Executes exactly this, under that signal; what it comes upon is judged by what `now` says, else by what it was prepared with. */
  run(signal: AbortSignal, now?: RulesNow): Promise<Outcome>;
}

export type Preparation =
  | PreparedCall
  /** Policy says no, of a plan or of paths that a refused plan was about. */
  | { kind: "denied"; verdict: Verdict }
  /** The tool cannot do this; the model reads the message. `verdict` where policy could still judge it. */
  | { kind: "refused"; code: ErrorCode; message: string; verdict?: Verdict };
