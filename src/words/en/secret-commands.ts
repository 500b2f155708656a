import { room } from "../room.ts";

/** The person's secrets, as they are listed, set and removed. */
export const secretCommands = room("secretCommands", {
  none: "no secret is set: agent secrets set NAME",
  code: "a code of the moment",
  oneName: "agent secrets set takes one name, and the value never as an argument: others could read it there",
  oneNameHint: "agent secrets set NAME asks for it; agent secrets set NAME --stdin reads it",
  noName: ({ why }: { why: string }) => `this cannot be the name of a secret: ${why}`,
  ask: ({ name }: { name: string }) => `value of ${name} (it is not shown): `,
  notKept: ({ name, why }: { name: string; why: string }) => `the value of ${name} cannot be kept as a secret: ${why}`,
  kept: ({ name, where, hosts }: { name: string; where: string; hosts: readonly string[] }) => {
    const bound = hosts.length === 0 ? "" : `, for ${hosts.join(", ")} alone`;
    return `${name} is kept ${where}${bound}; sessions that are opened from now on have it`;
  },
  tooLong: "stdin holds more than a secret",
  noTerminal: "there is no terminal to ask at",
  noTerminalHint: "agent secrets set NAME --stdin reads the value",
  noSecret: ({ name }: { name: string }) => `there is no secret ${JSON.stringify(name)}`,
  listHint: "agent secrets list shows them",
  stays: ({ name }: { name: string }) =>
    `${name} is in the system's keyring, which did not remove it within 2 s: it stays`,
});
