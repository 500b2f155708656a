import { room } from "../room.ts";

/** The file of --output-schema: why it cannot be used. */
export const outputSchema = room("outputSchema", {
  hint: 'it is a file with one JSON Schema, as {"type": "object", "properties": {…}}',
  missing: "there is no such file",
  noText: "it is not UTF-8",
});
