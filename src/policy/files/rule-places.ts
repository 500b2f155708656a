import { lstatSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { foldCase } from "../../core/fold-case.ts";
import { homeFolder } from "../../files/project-root.ts";
import { withJoinedValues } from "../../tools/shell/reading/valued-options.ts";
import { matchesGlob } from "../glob.ts";
import { ruleKey, wordKey } from "../leads.ts";
import { segmentsOf } from "../names.ts";
import { readGlob } from "../rule-match.ts";
import { readPattern } from "../shell/command-rule.ts";
import type { Glob, Leads, Policy, Rule, Segment, Token } from "../types.ts";

/** Links one behind the other, as Linux follows them; more lead nowhere. */
const mostHops = 40;
/**
 * So often a pattern is gone through for links behind its wildcards, and so many other forms one pattern may have. `steps`: names of links and of
 * patterns that are compared or looked at for all rules of the person's, and as many for all others, which a repository writes.
 */
const most = { rounds: 4, forms: 1_000, steps: 200_000 };

/** The steps that are left. */
interface Steps {
  left: number;
}

const noLeads: Leads = { links: [], files: new Map() };

// Keeps policy 14.
/**
 * The same policy with what its rules that deny or ask mean beside what they say: the places to which links on the way of their paths lead now. Of a
 * path's beginning without a wildcard each link counts, wherever it lies and whether or not its target is there; behind a wildcard those of `leads`
 * whose names the pattern spells, if only in part, within `most`. Looks at the disk: to be made anew each time a policy is asked for.
 * @param roots the workspace and the added folders, real
 */
export function withRulePlaces(policy: Policy, roots: readonly string[]): Policy {
  const { leads = noLeads, home } = policy;
  const look = placeLook(leads.links.map(({ path }) => path));
  const rules = new Map<string, readonly Glob[]>();
  const closing = policy.rules.filter(({ decision }) => decision !== "allow");
  const isOwn = ({ origin }: Rule): boolean => origin.source === "user";
  for (const written of [closing.filter(isOwn), closing.filter((rule) => !isOwn(rule))]) {
    const steps: Steps = { left: most.steps };
    for (const { key, glob, root, isOther } of written.flatMap((rule) => namedBy(rule, home))) {
      if (rules.has(key)) continue;
      const forms = look(glob, root === undefined ? roots : [root], steps);
      if (isOther === true) forms.push(glob);
      if (forms.length > 0) rules.set(key, forms);
    }
  }
  return { ...policy, leads: { ...leads, rules } };
}

interface Named {
  /** As `Leads.rules` has it. */
  key: string;
  glob: Glob;
  /** As of the rule. */
  root?: string | undefined;
  /** The pattern is no spelling of the place itself. */
  isOther?: boolean;
}

/** The patterns of paths of a rule, and the words of its command that may be paths. */
function namedBy({ paths = [], command, root }: Rule, home: string | undefined): Named[] {
  const patterns = paths.flatMap((pattern) => {
    const glob = readGlob(pattern);
    return "wrong" in glob ? [] : { key: ruleKey(pattern, root), glob, root };
  });
  const known = command === undefined ? undefined : readPattern(command);
  if (known === undefined || "wrong" in known) return patterns;
  const [, ...words] = [...known.words, ...(withJoinedValues(known.words) ?? [])];
  const places = words.flatMap((word) => (word?.startsWith("-") === true ? givenTo(word) : (word ?? [])));
  return [...patterns, ...places.map((word) => wordOf(word, home))];
}

/** The value of an option, where it stands behind a "=". */
const givenTo = (word: string): string[] => /^-[^=]*=(.+)$/su.exec(word)?.slice(1) ?? [];

/** A word of a command means itself, and `~` the home, as in a line. */
function wordOf(word: string, home: string | undefined): Named {
  const path = /^~(?:\/|$)/u.test(word) ? `${home ?? homeFolder() ?? "~"}${word.slice(1)}` : word;
  const ways = [segmentsOf(path).map((name) => [...name])];
  return { key: wordKey(word), glob: { absolute: path.startsWith("/"), ways }, isOther: path !== word };
}

/** A place, and what of a pattern is below it. */
interface Form {
  at: string;
  rest: readonly Segment[];
}

/** Makes the look for what a pattern means beside itself. @param links absolute paths of links that are known */
function placeLook(links: readonly string[]): (glob: Glob, roots: readonly string[], steps: Steps) => Glob[] {
  const walk = linkWalk();
  const through = knownLinks(links);
  return (glob, roots, steps) => {
    const starts = glob.ways.flatMap((rest) => (glob.absolute ? ["/"] : roots).map((at): Form => ({ at, rest })));
    const seen = new Set(starts.map(keyOf));
    const found: Glob[] = [];
    let fresh = starts;
    for (let round = 0; round < most.rounds && fresh.length > 0 && found.length < most.forms; round += 1) {
      const led = fresh.flatMap((form) => [form, ...through(form, steps)]).flatMap((form) => walk(form, steps));
      fresh = [];
      for (const form of led) {
        const key = keyOf(form);
        if (seen.has(key) || found.length >= most.forms) continue;
        seen.add(key);
        fresh.push(form);
        found.push({ absolute: true, ways: [wayOf(form)] });
      }
    }
    return found;
  };
}

const wayOf = ({ at, rest }: Form): Segment[] => [...namesOf(at), ...rest];

const namesOf = (path: string): Token[][] => segmentsOf(path).map((name) => [...name]);

/** No name holds a NUL: what it stands before is a wildcard. */
const keyOf = ({ at, rest }: Form): string =>
  [...segmentsOf(at), ...rest.map((one) => (one === "**" ? "\0**" : one.map(signOf).join("")))].join("/");

const signOf = (token: Token): string => (typeof token === "string" ? token : `\0${token.wild}`);

/** Makes the search for links that are known and whose whole paths the beginning of a pattern means: with what of it is behind them. */
function knownLinks(links: readonly string[]): (form: Form, steps: Steps) => Form[] {
  if (links.length === 0) return () => [];
  const named = new Map<string, Set<string>>();
  for (const path of links) {
    const name = foldCase(basename(path));
    named.set(name, (named.get(name) ?? new Set()).add(path));
  }
  return ({ at, rest }, steps) =>
    rest.flatMap((segment, end) => {
      if (steps.left <= 0) return [];
      steps.left -= 1 + (isFixed(segment) ? 0 : named.size);
      const paths = linksNamed(segment, named);
      if (paths.length === 0) return [];
      const way = [...namesOf(at), ...rest.slice(0, end + 1)];
      steps.left -= paths.length * way.length;
      return paths.filter((path) => meansPath(way, path)).map((path) => ({ at: path, rest: rest.slice(end + 1) }));
    });
}

/** The known links whose own name a segment means that has a letter of it: `*` and `**` name none. */
function linksNamed(segment: Segment, named: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  if (isFixed(segment)) return [...(named.get(foldCase(segment.join(""))) ?? [])];
  if (segment === "**" || !segment.some((token) => typeof token === "string")) return [];
  return [...named].flatMap(([name, paths]) => (meansPath([segment], `/${name}`) ? [...paths] : []));
}

const isFixed = (segment: Segment): segment is string[] =>
  segment !== "**" && segment.every((token) => typeof token === "string");

const meansPath = (way: Segment[], path: string): boolean =>
  matchesGlob({ absolute: true, ways: [way] }, path, "/", true);

/** Makes the walk along the names that a pattern begins with: to where they lead, or to nothing where they lead nowhere, as round in a circle. */
function linkWalk(): (form: Form, steps: Steps) => Form[] {
  const targets = new Map<string, Target>();
  const linkAt = (path: string): Target => {
    const target = targets.get(path) ?? targetOf(path);
    targets.set(path, target);
    return target;
  };
  return ({ at, rest }, steps) => {
    if (steps.left <= 0) return [];
    const end = rest.findIndex((segment) => !isFixed(segment));
    const [fixed, open] = end < 0 ? [rest, []] : [rest.slice(0, end), rest.slice(end)];
    const names = [...segmentsOf(at), ...fixed.flatMap((name) => (isFixed(name) ? name.join("") : []))];
    steps.left -= names.length;
    const place = placeOf(names, linkAt);
    return place === undefined ? [] : [{ at: place, rest: open }];
  };
}

/** The place that a link names, by its own words; else whether something is there. */
type Target = { to: string } | "other" | "nothing";

/** The place where these names lead from the root on, also where it is not there (yet). */
function placeOf(names: readonly string[], linkAt: (path: string) => Target): string | undefined {
  const left = names.toReversed();
  let place = "/";
  let hops = 0;
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    // Of a real place the one above it is what "join" makes of "..".
    const next = join(place, name);
    const target = linkAt(next);
    if (target === "nothing") return join(next, ...left.toReversed());
    if (target === "other") {
      place = next;
      continue;
    }
    hops += 1;
    if (hops > mostHops) return undefined;
    if (target.to.startsWith("/")) place = "/";
    left.push(...segmentsOf(target.to).toReversed());
  }
  return place;
}

function targetOf(path: string): Target {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "nothing";
    return found.isSymbolicLink() ? { to: readlinkSync(path) } : "other";
  } catch {
    return "nothing"; // below a file, or not to be looked at
  }
}
