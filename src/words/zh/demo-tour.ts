import type { demoTour as english } from "../en/demo-tour.ts";
import type { Twin } from "../twin.ts";

const notice = "这是按脚本的演示：话是固定的，但工具、改动和批准都是真的。";

const fixed = {
  done: "这一行改好了。",
  refused: "听你的：这一行保持原样，水壶继续吹牛。",
  failed: "编辑没有成功，它什么都没有改动。",
};
const tested = { done: "测试写好了。", refused: "那就不写测试。", failed: "测试没能写成。" };
const versioned = {
  done: "新版本已写入 package.json。",
  refused: "按你说的，版本仍是 1.0.0。",
  failed: "没能修改版本。",
};

export const demoTour: Twin<typeof english> = {
  prompt: "我的水壶说水在 194 °C 沸腾。请找出原因，并改好它。",
  patch: "改好一个缺陷是补丁版本：请用 1.0.1。",
  look: `${notice}

这是一个小项目，在它自己的文件夹里：一个告诉你泡茶的水什么时候好的程序。我先看一看。读取不需要你做什么。`,
  function: ({ before }) =>
    `${before === "done" ? "传感器用华氏度，由一个函数转成摄氏度。" : "没能全部读取，但还有一处可看。"}212 °F 应是 100 °C。这就是那个函数。`,
  formula:
    "公式缺了括号：`*` 比 `-` 结合得更紧，所以只有 32 被换算，212 就成了 194。改一行就好。我不能自己写：你会看到改动，你批准的就是写入的，一个字节也不差。",
  test: ({ before }) => `${fixed[before]}测试能说明水是否在该沸腾的温度沸腾；这里有一个。`,
  version: ({ before }) =>
    `${tested[before]}现在是版本。这次我很得意，所以建议 2.0.0。你可以拒绝，并说明原因：我会按这个原因继续。`,
  smaller: ({ before }) =>
    `${before === "refused" ? "有道理：只改好了一个缺陷，补丁版本就够了。" : "没有成功，而且 2.0.0 也太大了。"}那就 1.0.1。`,
  end: ({ before }) => `${versioned[before]}

导览到此结束。你看到的都保留着：每个调用连同它的改动、由谁决定、怎样结束。

- 在演示的文件夹里试试 \`node src/kettle.js 212\` 和 \`node --test\`。
- \`agent sessions --all\` 在任何文件夹都会列出本会话，\`agent resume ID\` 继续它；它可以随时停止，强行停止也可以。
- 用你自己的模型：设置 OPENAI_API_KEY，或把 OPENAI_BASE_URL 设为本地服务器，再在你的项目中运行 \`agent chat\`。`,
  over: "导览已经结束，我只会说这些固定的话：刚才什么都没有读取或改动。要真正对话，请设置 OPENAI_API_KEY，或把 OPENAI_BASE_URL 设为本地服务器，再运行 `agent chat`。`agent chat --model demo` 重新开始导览。",
};
