import type { grants as english } from "../en/grants.ts";
import type { Twin } from "../twin.ts";

export const grants: Twin<typeof english> = {
  help: { argument: "revoke ID", text: "模式，以及生效的规则和授权" },
  listHint: "x 撤销授权 · esc 返回",
  position: ({ at, of }) => `${at}/${of}`,
  revoke: "撤销它？y 撤销，其他任意键保留",
  kept: "它保留",
  aRule: "规则在它的文件里：到那里更改",
  revoked: ({ id }) => `${id} 已撤销：以后会再次询问`,
  isGone: ({ id }) => `授权 ${id} 已不存在`,
  byName: "/permissions revoke ID 收回一个授权",
  unclear: "/permissions 列出规则和授权，/permissions revoke ID 收回一个授权：你要哪个？",
  none: "没有规则也没有授权：由模式和各工具的风险决定",
};
