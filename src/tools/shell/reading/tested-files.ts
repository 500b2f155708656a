import type { TestExpression, Word } from "unbash";
import type { Use } from "./programs.ts";
import { fixedValue } from "./words.ts";

/** Tests of one file, and of two. */
const ofOne = /^-[abcdefghkprsuwxGLNOS]$/u;
const ofTwo = /^-(?:nt|ot|ef)$/u;

/** The files that `[[ … ]]` asks about; null for one that is not known before it runs. */
export function testedFiles(test: TestExpression, home: string | undefined): (Use | null)[] {
  const file = (word: Word): Use | null => {
    const path = fixedValue(word, home);
    return path === null ? null : { path, access: "read", named: true };
  };
  switch (test.type) {
    case "TestUnary":
      return ofOne.test(test.operator) ? [file(test.operand)] : [];
    case "TestBinary":
      return ofTwo.test(test.operator) ? [file(test.left), file(test.right)] : [];
    case "TestLogical":
      return test.operands.flatMap((one) => testedFiles(one, home));
    case "TestNot":
      return testedFiles(test.operand, home);
    case "TestGroup":
      return testedFiles(test.expression, home);
  }
}
