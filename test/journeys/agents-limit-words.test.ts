import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";

interface Case {
  /** What is set, in words. */
  set: string;
  argv?: string[];
  /** Of the settings. */
  config?: { maxCost?: number; maxSteps?: number };
  /** The helper's definition. */
  own?: { maxCost?: number; maxSteps?: number; model?: string };
  /** What is told of the helper's end, and how its parent's model reads it; none where the turn came to its end with it. */
  told: string;
  heard?: string;
  /** With which code, where that is not the limit's own. */
  code?: string;
  /** What is told of the turn's own end. */
  turn?: string;
}

const turnCost = (name: string, most: number): string =>
  `the turn has cost as much as ${name} lets it (${most}), with all its helpers`;
const turnSteps = (name: string, most: number): string =>
  `the turn has taken as many steps as ${name} lets it (${most}), with all its helpers`;
const ownCost = "reviewer has cost as much as its own maxCost lets it (0.025)";
const ownSteps = "reviewer has taken as many steps as its own maxSteps lets it (3)";
const noPrice = "reviewer asks its model nothing: openai:other has no price, so its own maxCost (0.025) cannot be kept";

/** A reply costs a hundredth, and the helper would take twenty. */
const cases: readonly Case[] = [
  { set: "its own maxCost", own: { maxCost: 0.025 }, told: ownCost, heard: "max_cost (its own limit) after 3 steps" },
  {
    set: "its own maxCost below --max-cost",
    ...{ own: { maxCost: 0.025 }, argv: ["--max-cost", "1"] },
    ...{ told: ownCost, heard: "max_cost (its own limit) after 3 steps" },
  },
  {
    set: "its own maxCost above --max-cost",
    ...{ own: { maxCost: 0.5 }, argv: ["--max-cost", "0.03"] },
    ...{ told: turnCost("--max-cost", 0.03), turn: turnCost("--max-cost", 0.03) },
  },
  {
    set: "--max-cost alone",
    argv: ["--max-cost", "0.03"],
    ...{ told: turnCost("--max-cost", 0.03), turn: turnCost("--max-cost", 0.03) },
  },
  {
    set: "--max-cost over the settings",
    ...{ config: { maxCost: 0.5 }, argv: ["--max-cost", "0.03"] },
    ...{ told: turnCost("--max-cost", 0.03), turn: turnCost("--max-cost", 0.03) },
  },
  {
    set: "maxCost of the settings",
    config: { maxCost: 0.03 },
    ...{ told: turnCost("maxCost", 0.03), turn: turnCost("maxCost", 0.03) },
  },
  {
    set: "its own maxCost, and a model without a price",
    own: { maxCost: 0.025, model: ":other" },
    ...{ told: noPrice, heard: "max_cost (its own limit) after 0 steps" },
  },
  {
    set: "--max-cost, and a model without a price",
    ...{ own: { model: ":other" }, argv: ["--max-cost", "1"] },
    ...{ told: "--max-cost needs the price of openai:other", code: "CONFIGURATION", heard: "failed after 0 steps" },
  },
  {
    set: "its own maxCost, maxCost of the settings, and a model without a price",
    ...{ own: { model: ":other", maxCost: 0.025 }, config: { maxCost: 1 } },
    ...{ told: noPrice, heard: "max_cost (its own limit) after 0 steps" },
  },
  {
    set: "maxCost of the settings, and a model without a price",
    ...{ own: { model: ":other" }, config: { maxCost: 1 } },
    ...{ told: "maxCost needs the price of openai:other", code: "CONFIGURATION", heard: "failed after 0 steps" },
  },
  {
    set: "its own maxSteps",
    own: { maxSteps: 3 },
    ...{ told: ownSteps, heard: "max_steps (its own limit) after 3 steps" },
  },
  {
    set: "its own maxSteps below --max-steps",
    ...{ own: { maxSteps: 3 }, argv: ["--max-steps", "9"] },
    ...{ told: ownSteps, heard: "max_steps (its own limit) after 3 steps" },
  },
  {
    set: "its own maxSteps above --max-steps",
    ...{ own: { maxSteps: 9 }, argv: ["--max-steps", "4"] },
    ...{ told: turnSteps("--max-steps", 4), turn: turnSteps("--max-steps", 4) },
  },
  {
    set: "maxSteps of the settings",
    config: { maxSteps: 4 },
    ...{ told: turnSteps("maxSteps", 4), turn: turnSteps("maxSteps", 4) },
  },
];

it.each(cases)("a helper that $set ends is told of that limit, and its session too", async (one) => {
  const usage = { input: 1000, output: 0 };
  const answer: Answer = ({ body: { messages } }) => {
    const isRoot = messages.some(({ role, content }) => role === "user" && content === "go");
    if (!isRoot) return { ...asks("ls", {}), usage };
    const spoken = messages.some(({ role }) => role === "assistant");
    return { ...(spoken ? says("Done.") : asks("agent", { task: "review", agent: "reviewer" })), usage };
  };
  const place = await openPlace(Array.from({ length: 40 }, () => answer));
  await mkdir(place.home, { recursive: true });
  const models = { "openai:test-model": { price: { input: 10, output: 10 } } };
  const agents = { reviewer: { description: "reviews", prompt: "Review.", ...one.own } };
  await writeFile(join(place.home, "config.json"), JSON.stringify({ models, agents, ...one.config }));
  const ran = await place.json(["run", "go", ...(one.argv ?? [])]);
  const errors = ran.of("error").map(({ parent, message }) => [parent === undefined ? "turn" : "helper", message]);
  expect(errors).toEqual([["helper", one.told], ...(one.turn === undefined ? [] : [["turn", one.turn]])]);
  const limit = one.told.includes("cost") ? "max_cost" : "max_steps";
  expect(ran.end.reason).toBe(one.turn === undefined ? "done" : limit);
  if (one.code !== undefined)
    expect(ran.of("error")[0]).toMatchObject({ code: one.code, hint: expect.stringContaining("price") });
  if (one.heard !== undefined) expect(place.heard(-1, -1)).toContain(one.heard);
});
