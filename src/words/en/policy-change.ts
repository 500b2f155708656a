import { room } from "../room.ts";

/** A change of a file of the person's policy that is not written. */
export const policyChange = room("policyChange", {
  broken: "it is broken",
  mendFirst: "nothing was written: mend it first",
  tooMany: ({ file }: { file: string }) => `${file}: the rules do not fit into it: nothing was written`,
  changed: ({ file }: { file: string }) => `${file} was changed while you were looking: it is left as it is`,
});
