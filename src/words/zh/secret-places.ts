import type { secretPlaces as english } from "../en/secret-places.ts";
import type { Twin } from "../twin.ts";

export const secretPlaces: Twin<typeof english> = {
  notGivenInTime: "系统密钥环未在 2 s 内给出它；agent secrets set 可重新保存",
  unread: ({ file, why }) => `${file} 无法读取：${why}`,
  noFile: ({ file }) => `${file} 无法读取：它不是文件`,
  isLink: ({ path }) => `${path} 是链接：不用作存放机密的位置`,
  hasOtherNames: ({ path }) => `${path} 还有其他名称：不用作存放机密的位置`,
  isNoFolder: ({ path }) => `${path} 不是文件夹：不用作存放机密的位置`,
  isOthers: ({ path, uid }) => `${path} 属于另一个用户（uid ${uid}）：不用作存放机密的位置`,
  isOpen: ({ path, mode }) => `${path} 对其他人开放（mode ${mode}）：不用作存放机密的位置`,
  isOther: ({ path }) => `${path} 与写入时不同：不用作存放机密的位置`,
  placeHint: "看看它，删除它，然后重新设置机密",
  inKeyring: ({ program }) => `在系统密钥环中，经由 ${program}`,
  inFile: ({ file }) => `在 ${file} 中，只有你可以读取（没有用于系统密钥环的程序）`,
  inFileInstead: ({ file, program }) => `在 ${file} 中，只有你可以读取（${program} 没有接收它）`,
};
