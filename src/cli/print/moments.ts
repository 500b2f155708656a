import { moments as words } from "../../words/en/moments.ts";

/** Times for people: by the clock of this place, or in UTC, which is then said. In milliseconds since the epoch. */

const two = (number: number): string => String(number).padStart(2, "0");

const clock = (day: Date): string => `${two(day.getHours())}:${two(day.getMinutes())}`;

/** "2026-11-21 09:05", "2026-11-21 08:05 UTC". */
export function momentText(at: number, utc = false): string {
  const day = new Date(at);
  if (utc) return `${day.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())} ${clock(day)}`;
}

/** To the millisecond: "2026-11-21 09:05:01.250". */
export function instantText(at: number, utc = false): string {
  const day = new Date(at);
  if (utc) return `${day.toISOString().slice(0, -1).replace("T", " ")} UTC`;
  return `${momentText(at)}:${two(day.getSeconds())}.${String(day.getMilliseconds()).padStart(3, "0")}`;
}

const minute = 60_000;

/** As people say it: "5 min ago", "today 09:05", "yesterday 18:20", "Friday 09:05", "3 Oct 09:05", "3 Oct 2025". */
export function whenText(at: number, now: number, utc = false): string {
  if (utc) return momentText(at, true);
  const [then, today] = [new Date(at), new Date(now)];
  const passed = now - at;
  if (passed >= 0 && passed < minute) return words().justNow;
  if (passed >= 0 && passed < 60 * minute) return words().minutesAgo({ minutes: Math.floor(passed / minute) });
  const days = daysBetween(then, today);
  const time = { clock: clock(then) };
  if (days === 0) return words().today(time);
  if (days === 1) return words().yesterday(time);
  if (days > 1 && days < 7) return words().weekday({ weekday: then.getDay(), ...time });
  const date = { day: then.getDate(), month: then.getMonth() };
  const year = then.getFullYear();
  return year === today.getFullYear() ? words().thisYear({ ...date, ...time }) : words().before({ ...date, year });
}

/** Midnights between them, whatever the clocks did meanwhile. */
const daysBetween = (from: Date, to: Date): number => {
  const [first, last] = [from, to].map((day) => Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()));
  return Math.round(((last ?? 0) - (first ?? 0)) / 86_400_000);
};
