import { describe, expect, it } from "vitest";
import { contentProblem, readField, typedDefault } from "../../../src/core/forms/field-values.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { readForm } from "../../../src/tools/mcp/asking/read-form.ts";

/** The fields of a form as a server asks for them. */
const fieldsOf = (properties: JsonObject, required: string[] = []) =>
  readForm({ message: "m", requestedSchema: { type: "object", properties, required } }, { from: "hub", tool: "t" })
    .fields;
const fieldOf = (schema: JsonObject, required: string[] = []) => {
  const [field] = fieldsOf({ a: schema }, required);
  if (field === undefined) throw new Error("no field");
  return field;
};

describe("a list of choices", () => {
  const someOf = (values: string[], more: JsonObject = {}) =>
    fieldOf({ type: "array", items: { type: "string", enum: values }, ...more }, ["a"]);
  const oneOf = (values: string[], more: JsonObject = {}) => fieldOf({ type: "string", enum: values, ...more }, ["a"]);

  it("has its default read as just that, also where values look like numbers of the list", () => {
    const all = ["3", "2", "1"];
    for (const values of [all, ["10", "20", "30"], ["1", "2", "3"], ["a", "1"], ["2", "a"]])
      for (const value of values) {
        const [one, some] = [oneOf(values, { default: value }), someOf(values, { default: [value] })];
        expect([values, readField(one, typedDefault(one))]).toEqual([values, { ok: true, value }]);
        expect([values, readField(some, typedDefault(some))]).toEqual([values, { ok: true, value: [value] }]);
      }
    const both = someOf(all, { default: ["3", "1"] });
    expect(readField(both, typedDefault(both))).toEqual({ ok: true, value: ["3", "1"] });
  });

  it("takes no number for one of the list where that is the words of another, and says so", () => {
    expect(readField(oneOf(["b", "1"]), "1")).toEqual({ ok: true, value: "1" });
    expect(readField(oneOf(["b", "1", "c"]), "3")).toMatchObject({
      ok: false,
      message: "one of the list, by its words",
    });
    expect(readField(oneOf(["b", "c"]), "2")).toEqual({ ok: true, value: "c" });
    expect(readField(oneOf([" a", "a"]), " a")).toEqual({ ok: true, value: " a" });
  });

  it("has no default standing in it that would be read as another", () => {
    const clash = someOf(["2", "x, y", "2,1"], { default: ["x, y"] });
    expect(typedDefault(clash)).toBe("");
  });
});

describe("what is typed in a field", () => {
  const mail = { type: "string", format: "email" };
  it.each<[JsonObject, string, unknown]>([
    [{ type: "string" }, " as it is ", " as it is "],
    [{ type: "string", maxLength: 3 }, "😀😀😀", "😀😀😀"],
    [{ type: "string", maxLength: 3 }, "four", undefined],
    [mail, " ada@example.org ", "ada@example.org"],
    [mail, "ada", undefined],
    [mail, "a@b@c", undefined],
    [{ type: "string", format: "uri" }, "https://a.example/b?c", "https://a.example/b?c"],
    [{ type: "string", format: "uri" }, "a b", undefined],
    [{ type: "string", format: "date" }, "2024-02-29", "2024-02-29"],
    [{ type: "string", format: "date" }, "2023-02-29", undefined],
    [{ type: "string", format: "date-time" }, "2026-11-27T10:30:00Z", "2026-11-27T10:30:00Z"],
    [{ type: "string", format: "date-time" }, "2026-11-27T25:30:00Z", undefined],
    [{ type: "integer", minimum: 1 }, "12", 12],
    [{ type: "integer", minimum: 1 }, "0", undefined],
    [{ type: "integer" }, "1.5", undefined],
    [{ type: "integer" }, "9007199254740993", undefined],
    [{ type: "number" }, "1e3", 1000],
    [{ type: "number" }, "0x10", undefined],
    [{ type: "number" }, "1e999", undefined],
    [{ type: "boolean" }, "Yes", true],
    [{ type: "boolean" }, "perhaps", undefined],
    [{ type: "string", enum: ["red", "2"] }, "2", "2"],
    [{ type: "string", enum: ["red", "blue"] }, "2", "blue"],
    [{ type: "string", enum: ["r"], enumNames: ["Red"] }, "red", "r"],
    [{ type: "string", enum: ["red"] }, "7", undefined],
    [{ type: "array", items: { enum: ["a", "b", "c"] }, maxItems: 2 }, "1, c", ["a", "c"]],
    [{ type: "array", items: { enum: ["a", "b", "c"] }, maxItems: 2 }, "1,2,3", undefined],
  ])("of %j, %j is %j", (schema, typed, value) => {
    const read = readField(fieldOf(schema), typed);
    expect(read.ok ? read.value : undefined).toEqual(value);
    expect(read.ok).toBe(value !== undefined);
  });

  it("may be nothing where it is not required, and what goes out holds no more than what was asked for", () => {
    expect(readField(fieldOf({ type: "string" }), "")).toEqual({ ok: true, value: undefined });
    expect(readField(fieldOf({ type: "string" }, ["a"]), "")).toMatchObject({ ok: false });
    const fields = fieldsOf({ a: { type: "string" } }, ["a"]);
    expect(contentProblem(fields, { a: "x" })).toBeUndefined();
    for (const content of [{}, { a: 1 }, { a: "x", b: "y" }]) expect(contentProblem(fields, content)).toBeDefined();
    const some = fieldOf({ type: "array", items: { enum: ["a", "b"] }, default: ["b"] });
    expect(readField(some, typedDefault(some))).toEqual({ ok: true, value: ["b"] });
  });
});
