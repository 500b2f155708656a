/** The texts that programs read of calls that cannot be judged. */
export const policyCheck = {
  noTool: ({ tool }: { tool: string }) => `UNKNOWN_TOOL: there is no tool ${JSON.stringify(tool)}`,
  wrongArguments: ({ what }: { what: string }) => `INVALID_ARGUMENT: the arguments are ${what}`,
  shape: 'a line is {"tool": NAME, "args": {...}}',
};
