/** A named agent: what a session is told and has that works under this name. */
export interface AgentDefinition {
  readonly name: string;
  /** The cases in which it is to be asked, in one line for the model. */
  readonly description: string;
  /** Its own instructions, as they are sent to it. */
  readonly prompt: string;
  /** The tools that it has at most, as `ChildSpec.tools`; all without it. */
  readonly tools?: readonly string[];
  /** As `ChildSpec.model`. */
  readonly model?: string;
  readonly maxSteps?: number;
  readonly maxCost?: number;
  /** The place that it was read from, as it is shown to a person. */
  readonly source: string;
}

/** Names that agents may have: 1 to 40 of a-z 0-9 - _, from a letter on. */
export const isAgentName = (name: string): boolean => /^[a-z][a-z0-9_-]{0,39}$/u.test(name);
