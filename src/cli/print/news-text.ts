import type { News } from "../../graph/events.ts";
import { news as words } from "../../words/en/news.ts";

/** Puts the news about a call in words that hold nothing of the call itself. */
export const newsText = (news: News): string =>
  news.is === "same_file" ? words().same_file({ times: news.times }) : words()[news.is];
