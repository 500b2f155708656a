import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

describe("the fixed part of a request", () => {
  it("is at most 12 kB with all tools that need no setting, and 9 kB without those of helpers, plans and artifacts: it is paid for in every step", async () => {
    const place = await openPlace([says("Hello.")]);
    await place.json(["run", "hi"]);
    const { tools, messages } = place.server.requests[0]?.body ?? {};
    const bytes = Buffer.byteLength(JSON.stringify({ tools, system: messages?.[0] }));
    expect(tools?.map((tool) => tool.function.name)).toContain("shell");
    expect(bytes).toBeLessThanOrEqual(12_000);
    expect(bytes).toBeGreaterThan(5_000);
    // Helpers, plans and artifacts are told of beside these.
    const plain = tools?.filter(({ function: { name } }) => !/^(agent|evaluate|goal|\w+_artifact)$/u.test(name));
    expect(Buffer.byteLength(JSON.stringify({ tools: plain, system: messages?.[0] }))).toBeLessThanOrEqual(9_000);
  });
});
