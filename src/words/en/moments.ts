import { room } from "../room.ts";

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The time when something was; `clock` is "09:05". */
export const moments = room("moments", {
  justNow: "just now",
  minutesAgo: ({ minutes }: { minutes: number }) => `${minutes} min ago`,
  today: ({ clock }: { clock: string }) => `today ${clock}`,
  yesterday: ({ clock }: { clock: string }) => `yesterday ${clock}`,
  /** `weekday`: 0 is Sunday. */
  weekday: ({ weekday, clock }: { weekday: number; clock: string }) => `${weekdays[weekday]} ${clock}`,
  /** `month`: 0 is January. */
  thisYear: ({ day, month, clock }: { day: number; month: number; clock: string }) =>
    `${day} ${months[month]} ${clock}`,
  before: ({ day, month, year }: Record<"day" | "month" | "year", number>) => `${day} ${months[month]} ${year}`,
});
