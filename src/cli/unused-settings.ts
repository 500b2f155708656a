import type { Composition } from "./composition.ts";
import type { Notice } from "./headless.ts";

/** Says of each setting that is accepted and does nothing yet that it does nothing. */
export async function unusedSettings({ local }: Pick<Composition, "local">, workspace: string): Promise<Notice[]> {
  const { unused } = await local(workspace);
  return unused.map((setting) => ({
    code: "unused_setting",
    text: `${setting}: this version does not use this setting`,
  }));
}
