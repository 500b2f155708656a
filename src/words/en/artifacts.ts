import { room } from "../room.ts";

/** Of one version of an artifact. */
interface Head {
  name: string;
  type: string;
  version: number;
  last: number | undefined;
  call: string;
  isTakenBack: boolean;
}

/** The texts that sessions keep. */
export const artifacts = room("artifacts", {
  none: "no session here keeps an artifact",
  head: ({ name, type, version, last, call, isTakenBack }: Head) =>
    `${name} (${type}), version ${version} of ${last}, by call ${call}${isTakenBack ? ", taken back" : ""}`,
  wrote: ({ version, name, path }: { version: number; name: string; path: string }) =>
    `wrote version ${version} of ${name} to ${path}`,
  noFile: ({ path }: { path: string }) => `${path} is no plain file: nothing was written`,
  allTakenBack: ({ name }: { name: string }) => `all of ${name} is taken back already`,
  noArtifact: ({ text, session }: { text: string; session: string }) =>
    `there is no artifact ${JSON.stringify(text)} in session ${session}`,
  hasNone: "it has none",
  has: ({ names }: { names: readonly string[] }) => `it has ${names.join(", ")}`,
  noVersion: ({ artifact, version }: { artifact: string; version: string | undefined }) =>
    `${artifact} has no version ${JSON.stringify(version)}`,
  noneKept: ({ workspace }: { workspace: string }) => `no session of ${workspace} keeps an artifact`,
  noneKeptHint: "agent artifacts --all lists those of other folders",
  damaged: ({ artifact, version }: { artifact: string; version: number }) =>
    `the record of ${artifact} version ${version} is damaged`,
  damagedHint: "agent sessions verify says where",
});
