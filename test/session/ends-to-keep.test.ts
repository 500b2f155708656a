import { expect, it, vi } from "vitest";
import { EndsToKeep } from "../../src/session/ends-to-keep.ts";

it("what could not be kept is tried again by itself, less and less often, and never behind the end", async () => {
  vi.useFakeTimers();
  try {
    const ends = new EndsToKeep();
    const tries: number[] = [];
    const from = Date.now();
    const write = async (): Promise<void> => {
      tries.push(Date.now() - from);
      if (tries.length < 4) throw new Error("the disk is full");
    };
    await expect(ends.keep(write)).rejects.toThrow("the disk is full");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tries).toEqual([0, 1_000, 3_000, 7_000]);
    const never = vi.fn(() => Promise.reject(new Error("the disk is full")));
    await expect(ends.keep(never)).rejects.toThrow("the disk is full");
    await ends.end();
    expect(never).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(never).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});
