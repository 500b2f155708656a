import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { joinSignals } from "../../src/core/join-signals.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const heard = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason), { once: true }));

describe("joined signals", () => {
  it("abort with the first of them, for its reason", async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const { signal } = joinSignals([one.signal, other.signal], 600_000);
    const reason = heard(signal);
    other.abort("enough");
    one.abort("later");
    expect(await reason).toBe("enough");
  });

  it("are aborted from the first on where one of them is", () => {
    expect(joinSignals([new AbortController().signal, AbortSignal.abort("gone")]).signal.reason).toBe("gone");
  });

  it("abort after their time, whatever is collected before", async () => {
    const reasons = Array.from({ length: 20 }, () => heard(joinSignals([new AbortController().signal], 30).signal));
    for (let round = 0; round < 5; round += 1) collect();
    for (const reason of await Promise.all(reasons)) expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  it("hear of nothing once they are released", async () => {
    const one = new AbortController();
    const joined = joinSignals([one.signal], 10);
    joined.release();
    one.abort();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(joined.signal.aborted).toBe(false);
  });
});
