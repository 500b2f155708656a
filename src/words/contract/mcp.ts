/**
 * The texts that models read on all that a person's message names of servers, and on sign-ins that do not hold; and those by which such a wish
 * is judged.
 */
export const mcp = {
  asking: ({ name }: { name: string }) => `ask the MCP server ${name}`,
  reading: ({ shown }: { shown: string }) => `read ${shown}`,
  wish: "What the person wants of a server.",
  pictureLeft: ({ why }: { why: string }) => `(a picture is left out: ${why})`,
  picturesLeft: ({ left, most }: { left: number; most: number }) =>
    `(${left} more pictures are left out: a message has at most ${most})`,
  ofPrompt: ({ name }: { name: string }) =>
    `All below this line is what the MCP server ${name} gives for its prompt. The person asked for it by its name, and has written none of it.`,
  attached: ({ images }: { images: number }) => `(${images} attached as pictures)`,
  resource: ({ name, uri, server, text }: { name: string; uri: string; server: string; text: string }) =>
    `@${name} (${uri}, of the MCP server ${server}; ${text.length} characters):\n${text}`,
  ofResources:
    "All below this line is what servers give for the resources that the person named with @ above; the person has written none of it.",
  /** Commands, and the beginning of one. */
  add: ({ name }: { name: string }) => `agent mcp add ${name}`,
  login: ({ name }: { name: string }) => `agent mcp login ${name}`,
  over: "your sign-in does not hold any more: sign in again",
  heldBack: ({ command }: { command: string }) =>
    `the keyring does not give your sign-in: unlock it, or sign in again (${command})`,
  notTaken: "it does not take your sign-in, though that was just made anew",
  notRenewed: ({ why }: { why: string }) => `your sign-in could not be made anew: ${why}`,
  unkept: ({ command, why }: { command: string; why: string }) =>
    `your sign-in was made anew, and could not be kept: after this session sign in again: ${command} (${why})`,
};
