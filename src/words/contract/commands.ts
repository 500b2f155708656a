/** The texts that a model reads in a command of a file where something is run or read for it. */
export const fileCommands = {
  runs: ({ command }: { command: string }) => `\`${command}\` (run for this message: its result follows)`,
  reads: ({ path }: { path: string }) => `@${path} (read for this message: it follows)`,
};
