import { builtOnce } from "../support/built.ts";
import { buildFaultyAgent, type FaultyAgent, faultyAgentIn } from "./bundle.ts";

/** The agent with its fault points, built once for all files of a test run. */
export const sharedFaultyAgent = async (): Promise<FaultyAgent> =>
  faultyAgentIn(await builtOnce("faulty-agent", buildFaultyAgent));
