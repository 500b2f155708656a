import { describe, expect, it } from "vitest";
import { createCodeMasking, createMasking, type Masking } from "../../../src/core/secrets/masking.ts";
import { writtenForms } from "../../support/secret-forms.ts";

const value = 'gx7"Q/<v>&_ 9zK+t';
const masking = createMasking([{ name: "TOKEN", value }]);
const tag = "<secret>TOKEN</secret>";

/** What is shown of each, and what of the last at the end. */
function shownOf(texts: readonly string[], of: Masking = masking): (string | undefined)[] {
  const pieces = of.pieces();
  return [...texts.map((text) => pieces.next(text)), pieces.end()];
}

describe("texts that follow each other", () => {
  it.each(Object.entries(writtenForms(value)))("have no value that is told in two of them: %s", (_, form) => {
    for (let at = 1; at < form.length; at += 1) {
      const [first, second, end] = shownOf([`before ${form.slice(0, at)}`, `${form.slice(at)} after`]);
      expect([second, end]).toEqual([`${tag} after`, undefined]);
      // What is too little to tell of it may be shown.
      expect(first?.startsWith("before ")).toBe(true);
      expect(form.startsWith(first?.slice("before ".length) ?? "")).toBe(true);
      expect(first?.length).toBeLessThan("before ".length + 36);
    }
  });

  it("have none that is told in many", () => {
    for (const size of [1, 2, 3, 5, 7]) {
      const texts = value.match(new RegExp(`.{1,${size}}`, "gu")) ?? [];
      const shown = shownOf([...texts, " is it", "done"]);
      expect(shown.slice(-3)).toEqual([expect.stringMatching(/ is it$/), "done", undefined]);
      expect(shown.join("")).toContain(tag);
      expect(shown.join("")).not.toContain(value.slice(0, 7));
      expect(shown.join("")).not.toContain(value.slice(7));
    }
  });

  it("have none where each has all that was told before", () => {
    const texts = ["typed gx7", 'typed gx7"Q/', 'typed gx7"Q/<v>&_', `typed ${value} there`, "done"];
    expect(shownOf(texts)).toEqual(["typed gx7", "typed ", "typed ", `typed ${tag} there`, "done", undefined]);
  });

  it("stay as they are where no value is in them, and the last is told whole at the end", () => {
    const texts = ["step 1 of g", "g is done", "", "\ud800 half", "9zK+t"];
    expect(shownOf(texts)).toEqual([...texts, undefined]);
    expect(shownOf(['it is gx7"Q/'])).toEqual(["it is ", 'it is gx7"Q/']);
    expect(shownOf(['x gx7"Q/', "not it"])).toEqual(["x ", "not it", undefined]);
    expect(shownOf([`it is ${value}`])).toEqual([`it is ${tag}`, undefined]);
  });

  it("have no code, also one that ends a text and is not followed by a digit of its own", () => {
    const codes = createCodeMasking();
    codes.add({ name: "CODE", value: "123456" });
    const code = "<secret>CODE</secret>";
    expect(shownOf(["it is 123", "456 now"], codes)).toEqual(["it is ", `${code} now`, undefined]);
    expect(shownOf(["it is 123456", "7 left"], codes)).toEqual([`it is ${code}`, "7 left", undefined]);
    expect(shownOf(["done 7", "123456 it is"], codes)).toEqual(["done 7", `${code} it is`, undefined]);
  });
});
