import type { moments as english } from "../en/moments.ts";
import type { Twin } from "../twin.ts";

const weekdays = ["日", "一", "二", "三", "四", "五", "六"];

export const moments: Twin<typeof english> = {
  justNow: "刚刚",
  minutesAgo: ({ minutes }) => `${minutes} 分钟前`,
  today: ({ clock }) => `今天 ${clock}`,
  yesterday: ({ clock }) => `昨天 ${clock}`,
  weekday: ({ weekday, clock }) => `周${weekdays[weekday]} ${clock}`,
  thisYear: ({ day, month, clock }) => `${month + 1}月${day}日 ${clock}`,
  before: ({ day, month, year }) => `${year}年${month + 1}月${day}日`,
};
