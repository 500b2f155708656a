import { expect, it } from "vitest";
import { inTurn } from "./order.ts";

const cases = ["a", "b", "c"].flatMap((place) =>
  Array.from({ length: 20 }, (_, index) => ({ place, name: `${place} ${index}` })),
);
const namesOf = (seed: string): string[] => inTurn(cases, seed).map(({ name }) => name);

it("puts one of each place first, then the others mixed, and leaves none out", () => {
  const order = namesOf("x");
  expect(order.slice(0, 3).map((name) => name[0])).toEqual(expect.arrayContaining(["a", "b", "c"]));
  expect(new Set(order.slice(3, 18).map((name) => name[0]))).toEqual(new Set(["a", "b", "c"]));
  expect(order.toSorted()).toEqual(cases.map(({ name }) => name).toSorted());
});

it("has the same order for the same seed, and other cases first for another", () => {
  expect(namesOf("x")).toEqual(namesOf("x"));
  expect(namesOf("x").slice(0, 10)).not.toEqual(namesOf("y").slice(0, 10));
});
