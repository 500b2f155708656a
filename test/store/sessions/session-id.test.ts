import { expect, it } from "vitest";
import { newSessionId } from "../../../src/store/sessions/session-id.ts";

it("an id can be typed: two words and four digits, of which hardly two are alike", () => {
  const ids = Array.from({ length: 200 }, newSessionId);
  expect(ids.filter((id) => !/^[a-z]{3,8}-[a-z]{3,8}-[0-9a-f]{4}$/u.test(id))).toEqual([]);
  expect(new Set(ids).size).toBeGreaterThan(190);
});
