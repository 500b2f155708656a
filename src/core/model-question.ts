/** One message of what another program wants the model to answer. */
export interface ModelLine {
  role: "user" | "assistant";
  /** Empty where it is a picture. */
  text: string;
  /** Decoded, of a kind that servers take; its bytes in base64. */
  picture?: { mediaType: string; data: string; width: number; height: number };
}

/** A question that another program has for the model: nothing else goes to it, no tool and no word of the session. */
export interface ModelQuestion {
  system?: string;
  messages: ModelLine[];
  /** Tokens of the answer, at most. */
  maxTokens: number;
}

export interface ModelAnswer {
  text: string;
  /** It ended because it was as long as it may be. */
  isCut: boolean;
  /** Tokens, where the server says how many. */
  inputTokens?: number;
  outputTokens?: number;
  /** Its cost, where that is known and the settings have the model's price. */
  cost?: number;
}

/** Describes the tokens and the cost of an answer, in words. */
export function tookWords({ inputTokens, outputTokens, cost }: Omit<ModelAnswer, "text" | "isCut">): string {
  if (inputTokens === undefined || outputTokens === undefined) return "how many tokens it took is not known";
  return `${inputTokens} tokens in, ${outputTokens} out${cost === undefined ? "" : `, cost ${cost.toFixed(4)}`}`;
}

/** The model was not asked, and nothing was sent to it: why, in words. */
export class ModelNotAsked extends Error {
  override readonly name = "ModelNotAsked";
}

/** The model of the session, as a call may have it asked for somebody else. */
export interface AskableModel {
  readonly spec: string;
  /** True if it is known to see pictures. */
  readonly sees: boolean;
  /**
   * Asks it once, and has what that took stored with the turn before this resolves.
   * @throws ModelNotAsked where nothing was sent; Error that says why there is no answer; the signal's reason
   */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>;
}
