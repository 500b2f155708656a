import { speak } from "../room.ts";
import * as rooms from "./index.ts";

/** From now on this process speaks Chinese. Loaded by whoever speaks it alone. */
export function speakChinese(): void {
  speak(rooms);
}
