import { join } from "node:path";
import { fileURLToPath } from "node:url";

const checkout = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Whether all commands are to be run by the program of another node version, in a process each: AGENT_TEST_NODE, with
 * AGENT_TEST_INSTALL, the package's folder as that node has it installed.
 */
export const isOtherNode = process.env["AGENT_TEST_NODE"] !== undefined;

/** The command `agent` as it ships: node and its first argument. The bundle was built before the tests began. */
export const agentCommand: readonly [node: string, program: string] = [
  process.env["AGENT_TEST_NODE"] ?? process.execPath,
  join(process.env["AGENT_TEST_INSTALL"] ?? checkout, "bin", "agent.js"),
];
