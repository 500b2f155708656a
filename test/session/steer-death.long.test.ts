import { describe, expect, it } from "vitest";
import { fateOf } from "../support/mortal.ts";
import { approve, askedStage, openCalls, toldTo } from "./steering.ts";

describe("whatever write of it the process dies at", () => {
  it("what is taken back either waits still or is withdrawn, and is told once at most", async () => {
    for (const when of ["before", "after"] as const) {
      const stage = await askedStage();
      const fate = fateOf({ write: (name) => name === "withdrawWaiting", when });
      const life = await stage.begin("change it", { wrap: fate.wrap });
      await life.session.steer("then tell me why");
      await expect(life.session.takeBack()).rejects.toThrow("the process is dead");
      await life.session.close().catch(() => undefined);
      const again = await stage.resume(life.session.id, { takeOver: true });
      await approve(again);
      const told = toldTo(stage.requests.at(-1)).filter((one) => one === "person: then tell me why");
      expect([when, told.length]).toEqual([when, when === "before" ? 1 : 0]);
    }
  });

  /** One life that is steered while a call waits, and what the model was told at last. */
  async function live(fate = fateOf()) {
    const stage = await askedStage([[["ls", {}]]]);
    let acknowledged = false;
    const life = await stage.begin("change it", { wrap: fate.wrap });
    const dead = (error: unknown): void => {
      if (!fate.dead) throw error;
    };
    await life.session
      .steer("then look")
      .then(() => {
        acknowledged = true;
      })
      .catch(dead);
    if (!fate.dead) await approve(life).catch(dead);
    await life.session.close().catch(dead);
    const last = fate.dead ? await stage.resume(life.session.id, { takeOver: true }) : life;
    if (openCalls(last).length > 0) await approve(last);
    const said = toldTo(stage.requests.at(-1)).filter((one) => one === "person: then look");
    return { acknowledged, times: said.length, left: openCalls(last), stage, last };
  }

  it("an acknowledged message is told exactly once", async () => {
    const whole = fateOf();
    await live(whole);
    const from = whole.writes.indexOf("addSteer") + 1;
    expect(from).toBeGreaterThan(0);
    expect(whole.writes).toContain("tellSteers");
    for (let write = from; write <= whole.writes.length; write += 1) {
      for (const when of ["before", "after"] as const) {
        const { acknowledged, times, left, last } = await live(fateOf({ write, when }));
        const at = `${when} write ${write}, ${whole.writes[write - 1]}`;
        if (acknowledged) expect([times, at]).toEqual([1, at]);
        else expect(times).toBeLessThanOrEqual(1);
        expect(left).toEqual([]);
        expect(last.journal().steers().length + last.journal().turns().length).toBe(1 + times);
      }
    }
  });
});
