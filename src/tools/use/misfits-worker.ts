import { parentPort, workerData } from "node:worker_threads";
import { misfitsOf } from "../../core/json-schema/misfits.ts";
import type { MisfitsJob } from "./misfits-beside.ts";

/** A file of its own beside the program: what is checked here holds up nothing else. */
const { schema, value, ms } = workerData as MisfitsJob;
parentPort?.postMessage({ ready: true });
parentPort?.postMessage({ done: misfitsOf(schema, value, ms) });
