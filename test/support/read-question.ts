import { setTimeout as sleep } from "node:timers/promises";
import { breathMs } from "../../src/cli/ui/question/arming.ts";

/** As long as a person reads a question before they answer it, on a machine that may be busy: keys that come at once decide nothing. */
export const readQuestion = (): Promise<void> => sleep(2 * breathMs);
