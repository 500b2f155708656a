import { expect, it } from "vitest";
import { promptArguments } from "../../../src/cli/mcp/prompt-arguments.ts";

const prompt = {
  arguments: [
    { name: "what", description: "", isRequired: true },
    { name: "how", description: "", isRequired: false },
  ],
};

it("a name with nothing behind it gives that argument an empty value, in quotes or without; any other word is a value", () => {
  expect(promptArguments(prompt, "how= src")).toEqual({ how: "", what: "src" });
  expect(promptArguments(prompt, "src how=")).toEqual({ how: "", what: "src" });
  expect(promptArguments(prompt, 'what=""')).toEqual({ what: "" });
  expect(promptArguments(prompt, "other= x")).toEqual({ what: "other=", how: "x" });
  expect(promptArguments(prompt, "how=quick src")).toEqual({ how: "quick", what: "src" });
  expect(() => promptArguments(prompt, "how= how=x src")).toThrow("its argument how is given twice");
});
