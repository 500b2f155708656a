import { room } from "../room.ts";

/** Agents of files: why one is left out, and what of it is not heeded. */
export const agentFiles = room("agentFiles", {
  noPrompt: "nothing stands below the second line ---: what the agent is told",
  noHead: "it does not begin with a line --- and its description",
  noYaml: ({ why }: { why: string | undefined }) => `what stands between the lines --- is no YAML: ${why}`,
  tooLarge: ({ kilobytes }: { kilobytes: number }) => `it is larger than ${kilobytes} kB`,
  noText: "it is no UTF-8 text",
  waits: "it waits for your trust (agent trust)",
  nameShape: "an agent's name has a-z, 0-9, - and _ in it, and begins with a letter",
  noToolkit: ({ toolkit }: { toolkit: string }) => `there is no toolkit ${JSON.stringify(toolkit)}: set it in toolkits`,
  noModel: ({ model }: { model: string }) =>
    `${JSON.stringify(model)} is no model: SERVER:NAME, or :NAME for one of the same server`,
  hasName: "another one has this name, and comes first",
  moreFiles: ({ count }: { count: number }) => `and of ${count} more files (agent agents)`,
  notHeeded: ({ files }: { files: readonly string[] }) =>
    `of other programs' agents not heeded here: ${files.join("; ")}`,
  noKeys: "it has no keys",
  noDescription: "it has no description",
  noTask: "it does not say what the agent is told",
  /** Of a key of it. */
  isNoText: "it is no text",
  noSteps: "it is no number of steps",
  noTools: "it is no list of tools",
  noMode: "it is no mode",
  noSwitch: "a tool is true or false",
  noDecision: "it is none of allow, ask and deny",
  noHelper: "it is for no helper",
  isOff: "it is switched off",
  isElsewhere: "it works elsewhere",
  noToml: ({ why }: { why: string | undefined }) => `it is no TOML: ${why}`,
});
