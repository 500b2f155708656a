import type { JsonObject } from "../../core/json.ts";
import { defineTool, type Tool } from "../../core/tool.ts";
import { asBuiltIn, isBuiltIn } from "../built-in.ts";

export const completionName = "attempt_completion";
const terminateName = "terminate";

/** In the metadata of a result that ends the turn without what it was asked for. */
export const gaveUpMark = "gaveUp";

/** Makes the tool that ends a turn whose last words are to come by a call. */
const completion = (): Tool =>
  defineTool<{ result: string }>({
    name: completionName,
    description:
      "Call this when the task is done. The result is all that the person gets: say it whole, without a question at its end.",
    effect: "none",
    risk: "low",
    args: {
      jsonSchema: {
        type: "object",
        properties: { result: { type: "string", description: "The answer; JSON where JSON is asked for." } },
        required: ["result"],
        additionalProperties: false,
      },
      // A model that is asked for JSON writes it as such, too.
      parse: ({ result }: JsonObject) => ({ result: typeof result === "string" ? result : JSON.stringify(result) }),
    },
    validate: ({ result }, ctx) => {
      if (result.trim() === "") return "the result is empty: say what the person is to get";
      return ctx.outputProblem?.(result);
    },
    execute: ({ result }) => ({ output: result, title: "completed" }),
    endsTurn: true,
    editable: [],
    display: {
      en: { name: "Answer", params: { result: "Answer" } },
      zh: { name: "答复", params: { result: "答复" } },
    },
  });

const terminate = (): Tool =>
  defineTool<{ status: string }>({
    name: terminateName,
    description: "Call this to end the work: with success when it is done, with failure when it cannot be done.",
    effect: "none",
    risk: "low",
    args: {
      jsonSchema: {
        type: "object",
        properties: { status: { type: "string", enum: ["success", "failure"] } },
        required: ["status"],
        additionalProperties: false,
      },
    },
    validate: ({ status }, ctx) =>
      status === "success" && ctx.outputProblem?.(status) !== undefined
        ? `an answer in JSON is asked for: call ${completionName} with it, or ${terminateName} with failure`
        : undefined,
    execute: ({ status }) => ({
      output: status,
      title: `ended: ${status}`,
      metadata: status === "success" ? {} : { [gaveUpMark]: true },
    }),
    endsTurn: ({ output }) => output === "success" || output === "failure",
    editable: [],
    display: {
      en: { name: "End the turn", params: { status: "Status" } },
      zh: { name: "结束本轮", params: { status: "状态" } },
    },
  });

const names: ReadonlySet<string> = new Set([completionName, terminateName]);

/** Tells whether it is one of the program's own that end a turn: such are offered only where a run asks for them. */
export const isEndTool = (tool: Tool): boolean => names.has(tool.name) && isBuiltIn(tool);

/** The tools by which a turn ends, where none of these has the name. */
export const endToolsBeside = (tools: readonly Tool[]): Tool[] =>
  [completion(), terminate()].filter(({ name }) => tools.every((tool) => tool.name !== name)).map(asBuiltIn);
