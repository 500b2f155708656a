import { randomBytes } from "node:crypto";

const adjectives =
  "amber brave brisk calm clear crisp deft eager fair fleet gentle glad keen kind lively lucid mellow merry mild neat noble plain proud quick quiet ready sharp sleek snug steady still stout sunny swift tidy trim vivid warm wise witty".split(
    " ",
  );
const animals =
  "badger bear beaver bison crane deer dove eagle elk falcon ferret finch fox gull hare hawk heron horse ibis jay koala lark lemur lynx marten mole moose newt orca otter owl panda puffin quail raven robin seal stork swan tern toad trout viper whale wolf wren yak".split(
    " ",
  );

/** An id a person can type, e.g. `brisk-otter-4f2a`; about 117 million of them, so the caller checks that it is free. */
export function newSessionId(): string {
  const bytes = randomBytes(4);
  const adjective = adjectives[(bytes[0] ?? 0) % adjectives.length] ?? "plain";
  const animal = animals[(bytes[1] ?? 0) % animals.length] ?? "owl";
  return `${adjective}-${animal}-${bytes.subarray(2).toString("hex")}`;
}
