import type { images as english } from "../en/images.ts";
import type { Twin } from "../twin.ts";

export const images: Twin<typeof english> = {
  tooMany: ({ most }) => `一条消息最多 ${most} 张图片`,
  tooManyFlags: ({ most, count }) => `-i：一条消息最多 ${most} 张图片，这里有 ${count} 张`,
  noName: "-i 需要图片的名称",
};
