import { longTalk } from "../test/support/long-talk.ts";
import type { Row } from "./row.ts";

const turns = 200;
const window = 32_768;

const kb = (bytes: number): string => `${Math.round(bytes / 1000).toLocaleString("en")} kB`;

/**
 * What a provider's cache would have to read anew: bytes of a request that the next one does not begin with, over a talk of many windows.
 * Beside it what a talk would cost whose every request were new.
 */
export async function benchLongTalk(): Promise<Row[]> {
  const { prefixes, compactions, requests } = await longTalk({ turns, window });
  const changed = prefixes.reduce((sum, prefix) => sum + prefix.changed, 0);
  const all = prefixes.reduce((sum, prefix) => sum + prefix.changed + prefix.kept, 0);
  const cuts = compactions.length;
  const most = Math.max(...requests.map(({ tokens }) => tokens));
  return [
    {
      what: `prefix bytes changed in ${turns} turns, window ${window.toLocaleString("en")}`,
      figure: `${kb(changed)} at ${cuts} cuts`,
      beside: `sent again ${kb(all)}`,
      ratio: changed / all,
      aim: "<= 0.1 x, only at cuts",
      kept: changed <= 0.1 * all && prefixes.filter((prefix) => prefix.changed > 0).length <= cuts,
    },
    {
      what: "its longest request",
      figure: `${most.toLocaleString("en")} tokens`,
      beside: "",
      aim: "<= the window",
      kept: most <= window,
    },
  ];
}
