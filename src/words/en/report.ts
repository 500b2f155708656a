import { room } from "../room.ts";

/** A problem that ends a command. */
export const report = room("report", {
  error: ({ message }: { message: string }) => `error: ${message}`,
  /** A defect; `advice` where there is another one. */
  defect: ({ advice = "this is a defect", log }: { advice?: string | undefined; log: string }) =>
    `${advice}; details are in ${log}`,
});
