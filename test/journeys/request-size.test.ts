import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

describe("the fixed part of a request", () => {
  it("is at most 11.2 kB with all tools that need no setting: it is paid for in every step", async () => {
    const place = await openPlace([says("Hello.")]);
    await place.json(["run", "hi"]);
    const { tools, messages } = place.server.requests[0]?.body ?? {};
    const bytes = Buffer.byteLength(JSON.stringify({ tools, system: messages?.[0] }));
    expect(tools?.map((tool) => tool.function.name)).toContain("shell");
    expect(bytes).toBeLessThanOrEqual(11_200);
    expect(bytes).toBeGreaterThan(5_000);
  });
});
