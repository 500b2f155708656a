import type { plain as english } from "../en/plain.ts";
import type { Twin } from "../twin.ts";

export const plain: Twin<typeof english> = {
  help: [
    "按键",
    "  enter                  发送（agent 工作时：排队）",
    "  backspace, ctrl+u      删去一个字符、整行",
    "  esc                    清空这一行，否则拒绝等待的调用，否则停止正在进行的回合",
    "  ctrl+c                 清空这一行，否则停止，等待的调用继续等待；按两次离开",
    "                         （若属于子代理且没有别的子代理在工作；否则全部子代理结束）",
    "  ctrl+d                 离开，当这一行为空时",
    "",
    "有调用等待时，输入",
    "  n 或 deny              拒绝；后面可跟理由",
    "  r REASON               拒绝，并说明理由",
    "  e JSON                 编辑：写出全部参数，再决定",
    "  y 或 yes               批准一次；风险为高或未显示完整时，只有 yes 这个词算数",
    "  s 或 session           批准，且本会话中此类调用也批准，如有提供",
    "  p 或 project           批准，且本项目中此类调用也批准，如有提供",
    "  w 或 written           批准，且会话所写的内容可在沙箱中运行，如有提供",
    "  m 或 mode              批准，且从此允许编辑，如有提供",
  ],
  late: "这一行在提问之前就开始输入；什么也没决定。请重新输入你的回答。",
  gone: "那个问题在此期间已有回答；什么也没发送。",
  justAsked: "问题刚刚出现：什么也没决定。再按 esc 即拒绝。",
  stopped: "已停止。",
  stoppedOnce: "已停止。再按一次离开；会话已保存。",
  leaves: "再按 ctrl+c 离开；会话已保存",
  notSent: ({ text }) => `未发送：${text}`,
};
