import type { ownPlaces as english } from "../en/own-places.ts";
import type { Twin } from "../twin.ts";

export const ownPlaces: Twin<typeof english> = {
  everybody: "所有人",
  group: "其所属组",
  byList: "其访问控制列表中的其他人",
  linksHint: "删除这些链接，或把 AGENT_HOME 设为另一个文件夹",
  foreignHint: ({ mine, path }) =>
    `若它应归你所有：sudo chown -R ${mine} ${path}；否则把 AGENT_HOME 设为你自己的文件夹`,
  foreign: ({ path, uid }) => `${path} 属于另一个用户（uid ${uid}）`,
  foreignWay: ({ place, isLink, uid, path }) =>
    `${place} 要经过另一个用户（uid ${uid}）的${isLink ? "链接" : "文件夹"}：${path}`,
  foreignWayHint: "把 AGENT_HOME 设为只有你能替换的文件夹",
  writableHint: ({ path }) => `看看里面有什么，然后：chmod go-w ${path}`,
  writable: ({ path, who }) => `${path} 可由${who}写入`,
  noFolder: ({ path }) => `${path} 不是文件夹`,
  unusable: ({ folder, reason }) => `agent 无法在 ${folder} 中存放它的文件：${reason}`,
  unusableHint: "把 AGENT_HOME 设为可创建、可写入的文件夹",
  wholePath: ({ name, path }) => `给出完整路径：export ${name}="$PWD/${path}"`,
  relative: ({ name, path }) => `${name} 是相对路径：${path}`,
  homeHint: "设置 HOME，或把 AGENT_HOME 设为存放 agent 自身文件的文件夹",
  noHome: "此用户没有主文件夹",
  round: ({ path }) => `${path} 经过的链接绕成了圈`,
};
