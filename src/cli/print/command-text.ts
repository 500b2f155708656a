import type { Plan } from "../../core/tool.ts";

/** Where a command runs and what it can reach from there, in words; empty for what is no command. @param place its folder, as people read it */
export function surroundingsText({ command, sandbox, network }: Plan, place: string): string {
  if (command === undefined || sandbox === undefined) return "";
  const held = sandbox
    ? "in the sandbox, which writes in the workspace and in folders that you named"
    : "without a sandbox, with all that you may do";
  const without = sandbox ? "without the network" : "nothing holds back the network";
  return `runs in ${place} · ${held} · ${network === true ? "it asks for the network" : without}`;
}
