import { expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { cells } from "../../../../src/cli/terminal/width.ts";
import { grantsFrame } from "../../../../src/cli/ui/grants/grants-frame.ts";
import {
  type GrantList,
  type GrantsStep,
  grantsKey,
  newGrantList,
  unasked,
  withoutGrant,
} from "../../../../src/cli/ui/grants/grants-state.ts";

const keyNamed = (name: string): Key => {
  const plain = { ctrl: false, alt: false, shift: false } as const;
  return [...name].length === 1 ? { ...plain, name: "char", text: name } : { ...plain, name: name as Key["name"] };
};
const list = newGrantList([
  { text: "deny   shell" },
  { text: "allow  shell npm test", grant: "g-1" },
  { text: `allow  edit_file ${"a/".repeat(40)}\u001b[2Jb`, grant: "g-2" },
]);
const pressed = (from: GrantList, ...names: string[]): GrantsStep =>
  names.reduce<GrantsStep>((step, name) => (step.list === undefined ? step : grantsKey(step.list, keyNamed(name), 5)), {
    list: from,
  });

it("points at the first grant, and revokes the one that is pointed at by x and y alone", () => {
  expect(list.at).toBe(1);
  expect(pressed(list, "x", "y").effect).toEqual({ do: "revoke_grant", id: "g-1" });
  expect(pressed(list, "j", "x", "y").effect).toEqual({ do: "revoke_grant", id: "g-2" });
  for (const other of ["n", "enter", "escape", "x", "j"])
    expect(pressed(list, "x", other)).toEqual({ list: { ...list, note: "it stays" } });
  expect(pressed(list, "y").effect).toBeUndefined();
});

it("revokes no rule, and nothing where nothing of it is on the screen or it was out of sight", () => {
  expect(pressed(list, "k", "x").list).toMatchObject({
    revoking: false,
    note: "a rule stands in its file: it is changed there",
  });
  expect(grantsKey(list, keyNamed("x"), 0)).toEqual({ list });
  expect(grantsKey({ ...list, revoking: true }, keyNamed("y"), 0).effect).toBeUndefined();
  expect(pressed(unasked({ ...list, revoking: true }), "y").effect).toBeUndefined();
});

it("takes a revoked one out of the list, wherever it is pointed at by then, and says where it was gone before", () => {
  const end = pressed(list, "G").list ?? list;
  expect(withoutGrant(end, "g-2", true)).toMatchObject({ at: 1, note: "g-2 is revoked: it is asked about again" });
  const none = withoutGrant(withoutGrant(newGrantList(list.rows.slice(1)), "g-1", true), "g-2", false);
  expect(none).toMatchObject({ rows: [], at: 0, note: "there is no grant g-2 any more" });
  expect(grantsKey(none, keyNamed("x"), 5)).toEqual({ list: { ...none, note: "" } });
});

it.each([
  [60, 20],
  [42, 10],
])("shows the one that is pointed at whole at %ix%i, safe to draw, and never more than the window", (columns, rows) => {
  for (const at of [0, 1, 2]) {
    const { lines } = grantsFrame({ ...list, at }, { columns, rows });
    expect(lines).toHaveLength(rows);
    for (const line of lines) expect(cells(plainText(line))).toBeLessThanOrEqual(columns);
  }
  const drawn = grantsFrame({ ...list, at: 2 }, { columns, rows })
    .lines.map((line) => plainText(line).slice(2))
    .join("");
  expect(drawn.replaceAll(" ", "")).toContain("a/".repeat(40));
  expect(drawn).not.toContain("\u001b");
});
