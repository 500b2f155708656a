import { always, type Running } from "./running.ts";

/** An object that is not there is fetched from nowhere; a git before 2.45 knows but the second, and uses no protocol by it. */
export const fetchingNothing: Readonly<Record<string, string>> = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };

/**
 * No note is shown with a commit: it may be any object that git keeps, of which no name tells what is in it. No reference can be called so, and the
 * second takes the place of what settings say.
 */
export const showingNoNotes: Readonly<Record<string, string>> = {
  GIT_NOTES_REF: "refs/notes/.none",
  GIT_NOTES_DISPLAY_REF: "",
};

/**
 * Variables with which git, and each git that it starts in a submodule, obeys these settings over all files (`git-config`, ENVIRONMENT), and
 * writes nothing that it need not. A git before 2.31 knows only GIT_CONFIG_PARAMETERS.
 */
export function gitEnvironment({ settings }: Pick<Running, "settings">): Record<string, string> {
  const all = [...always, ...settings];
  const numbered = all.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    GIT_OPTIONAL_LOCKS: "0",
    // What a name means is what git shows of it.
    GIT_NO_REPLACE_OBJECTS: "1",
    ...fetchingNothing,
    ...showingNoNotes,
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(numbered),
    GIT_CONFIG_PARAMETERS: all.map(([name, value]) => quoted(`${name}=${value}`)).join(" "),
  };
}

/** As a shell would read it back: git takes it so. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''").replaceAll("!", "'\\!'")}'`;
