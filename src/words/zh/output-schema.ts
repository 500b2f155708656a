import type { outputSchema as english } from "../en/output-schema.ts";
import type { Twin } from "../twin.ts";

export const outputSchema: Twin<typeof english> = {
  hint: '它是含一个 JSON Schema 的文件，如 {"type": "object", "properties": {…}}',
  missing: "没有这个文件",
  noText: "它不是 UTF-8",
};
