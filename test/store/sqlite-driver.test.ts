import Driver from "better-sqlite3";
import { expect, test } from "vitest";
import { driverFor, loadDriver } from "../../src/store/sqlite/driver.ts";

test("Node 20 has the driver that is compiled for it, and whatever speaks Node-API 10 the one that is not", () => {
  const chosen = ["9", "10", "11", undefined].map(driverFor);
  expect(chosen).toEqual(["better-sqlite3", "better-sqlite3-napi", "better-sqlite3-napi", "better-sqlite3"]);
});

test("the driver of Node 20 is better-sqlite3", async () => {
  expect(await loadDriver("9")).toBe(Driver);
});

test.runIf(Number(process.versions["napi"]) < 10)("a driver that is not installed is named", async () => {
  await expect(loadDriver("10")).rejects.toThrow("better-sqlite3-napi, a native module, which is not installed here");
});
