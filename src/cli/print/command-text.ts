import type { Plan } from "../../core/tool.ts";

/** Where a command runs and what it can reach from there, in words; empty for what is no command. @param place its folder, as people read it */
export function surroundingsText({ command, sandbox, network, apart }: Plan, place: string): string {
  if (command === undefined || sandbox === undefined) return "";
  if (apart === true)
    return `runs in ${place} · in the sandbox, where of the workspace nothing is but what this session wrote · without the network`;
  const held = sandbox
    ? "in the sandbox, which writes in the workspace and in folders that you named"
    : "without a sandbox, with all that you may do";
  const without = sandbox ? "without the network" : "nothing holds back the network";
  return `runs in ${place} · ${held} · ${network === true ? "it asks for the network" : without}`;
}
