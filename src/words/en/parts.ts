import { room } from "../room.ts";

/** Parts of the program that are files of their own. */
export const parts = room("parts", {
  colours: "what colours code",
  screen: "what draws the screen",
});
