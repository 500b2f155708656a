import { type ListRow, listed } from "./row.ts";

/** The files that steer agents, or run with no act of the person: each call that writes one is looked at by a person. */
export const guardedList: readonly ListRow[] = [
  {
    names: listed(`
      agents.md, agents.local.md, agents.override.md, agent.md, context.md, claude.md, claude.local.md,
      gemini.md, qwen.md, warp.md, crush.md, copilot.md, jules.md, replit.md, .cursorrules, .windsurfrules,
      .clinerules*, .roorules*, .goosehints, .rules, skill.md, codex.md, iflow.md, codebuddy.md
    `),
    why: "instructs_agents",
    match: listed(`
      AGENTS.md, packages/a/claude.md, CLAUDE.local.md, AGENTS.override.md, agents.local.md, AGENT.md,
      CONTEXT.md, GEMINI.md, QWEN.md, WARP.md, CRUSH.md, COPILOT.md, JULES.md, replit.md, .cursorrules,
      .windsurfrules, .clinerules, .clinerules-code, .roorules, .goosehints, .rules, skill.md, codex.md,
      iflow.md, codebuddy.md
    `),
    notMatch: listed(`
      MY-AGENTS.md, docs/agents.txt, src/context.ts, rules.md, claude.ts, skills.md, src/skill.ts
    `),
  },
  {
    names: listed(`
      .claude, .claude-plugin, .codex, .cursor, .gemini, .windsurf, .codeium, .roo, .roomodes, .kilocode,
      .kilocodemodes, .continue, .continuerc.json, .continuerules, .aider.conf.yml, .aider*, .amazonq, .kiro, .junie, .augment,
      .augment-guidelines, .augmentignore, .trae, .qwen, .opencode, .goose, .config/goose, .config/holdfast, .crush,
      .config/crush, .agents, .agent, .copilot, .cody, .tabnine, .openhands, .devin, .bolt, .factory, .amp,
      .config/amp, .config/opencode, .config/zed, opencode.json*, crush.json, .crush.json, .mcp.json, mcp.json,
      mcp_config.json, claude_desktop_config.json, .claude.json, .cline, .kilo, .warp, .jules, .rovodev, .iflow,
      .codebuddy, .lingma, .qoder, .serena, .taskmaster, .specify, .ruler, .rulesync, .firebender,
      .config/github-copilot, firebender.json, gemini-extension.json, .pr_agent.toml, greptile.json,
      .coderabbit.yml, .coderabbit.yaml
    `),
    why: "sets_up_agents",
    match: listed(`
      .claude/settings.json, .claude-plugin/plugin.json, .codex/config.toml, .cursor/mcp.json,
      .gemini/settings.json, .windsurf/rules/a.md, .codeium/a, .roo/mcp.json, .roomodes, .kilocode/a,
      .kilocodemodes, .continue/config.yaml, .continuerc.json, .continuerules, .aider.conf.yml, .amazonq/mcp.json,
      .kiro/hooks/a, .junie/guidelines.md, .augment/rules/a, .augment-guidelines, .augmentignore,
      .trae/rules/a.md, .qwen/settings.json, .opencode/agent/a.md, .goose/config.yaml, .config/goose/a,
      .config/holdfast/policy.json,
      .crush/a, .config/crush/a, .agents/skills/a/SKILL.md, .agent/a, .copilot/mcp-config.json, .cody/a,
      .tabnine/a, .openhands/setup.sh, .devin/a, .bolt/prompt, .factory/a, .amp/a, .config/amp/settings.json,
      .config/opencode/opencode.json, .config/zed/settings.json, opencode.jsonc, crush.json, .crush.json,
      .mcp.json, mcp.json, mcp_config.json, claude_desktop_config.json, .claude.json, .cline/a, .kilo/a,
      .warp/a, .jules/a, .rovodev/a, .iflow/a, .codebuddy/a, .lingma/a, .qoder/a, .serena/a, .taskmaster/a,
      .specify/a, .ruler/a, .rulesync/a, .firebender/a, .config/github-copilot/a, firebender.json,
      gemini-extension.json, .pr_agent.toml, greptile.json, .coderabbit.yml, .coderabbit.yaml
    `),
    notMatch: listed(`
      claude/a.ts, src/agents/a.ts, cursor.ts, continue.md, mcp.ts, goose/a.go, ruler.ts, warp/a.rs
    `),
  },
  {
    names: listed(`
      .husky, .huskyrc*, husky.config.*, .githooks, .git-hooks, githooks, git-hooks, .overcommit,
      .overcommit.yml, .captainhook*, captainhook.json, grumphp.yml, grumphp.yml.dist, .simple-git-hooks*,
      simple-git-hooks*, lefthook*.yml, lefthook*.yaml, lefthook*.toml, lefthook*.json, .lefthook*,
      .pre-commit-config.yml, .pre-commit-config.yaml, .pre-commit-hooks.yml, .pre-commit-hooks.yaml, prek.toml,
      .lintstagedrc*, lint-staged.config.*, .hgrc, .gitconfig, .config/git, .hooks, .trunk, .config/jj, hk.pkl,
      .rusty-hook.toml, .jjconfig.toml
    `),
    why: "hook",
    match: listed(`
      .husky/pre-commit, .huskyrc.js, husky.config.js, .githooks/post-merge, .git-hooks/x, githooks/pre-push,
      git-hooks/x, .overcommit/x, .overcommit.yml, .captainhook.json, captainhook.json, grumphp.yml,
      grumphp.yml.dist, .simple-git-hooks.json, simple-git-hooks.js, lefthook.yml, lefthook-local.yml,
      lefthook.yaml, lefthook.toml, lefthook.json, .lefthook/pre-commit/a.sh, .lefthook.yaml,
      .pre-commit-config.yaml, .pre-commit-config.yml, .pre-commit-hooks.yaml, .pre-commit-hooks.yml, prek.toml,
      .lintstagedrc.json, lint-staged.config.js, .hgrc, .gitconfig, .config/git/config, .hooks/a, .trunk/a,
      .config/jj/a, hk.pkl, .rusty-hook.toml, .jjconfig.toml
    `),
    notMatch: listed(`
      src/hooks/use-a.ts, hooks.ts, husky.md, pre-commit.md, .gitignore, src/trunk/a.ts, hk.md
    `),
  },
  {
    names: listed(`
      .github, .gitlab, .circleci, .buildkite, .ci, .forgejo, .gitea, .woodpecker, .tekton, .azuredevops,
      .azure-pipelines, .pipelines, .jenkins, jenkinsfile*, .teamcity, .semaphore, .builds, .kokoro, .concourse,
      .gitlab-ci*, .drone.*, .cirrus.*, azure-pipelines*, .woodpecker.yml, .woodpecker.yaml, appveyor.yml,
      appveyor.yaml, .appveyor.yml, .appveyor.yaml, .travis.yml, .travis.yaml, bitbucket-pipelines.yml,
      bitbucket-pipelines.yaml, codemagic.yml, codemagic.yaml, bitrise.yml, bitrise.yaml, buildspec.yml,
      buildspec.yaml, cloudbuild.yml, cloudbuild.yaml, wercker.yml, wercker.yaml, codefresh.yml, codefresh.yaml,
      screwdriver.yml, screwdriver.yaml, .build.yml, .build.yaml, .prow.yml, .prow.yaml, amplify.yml,
      amplify.yaml, .gitpod.yml, .gitpod.yaml, codeship-steps.yml, codeship-steps.yaml, codeship-services.yml,
      codeship-services.yaml, .harness, .dependabot, .mergify, .codesandbox, .platform, .upsun, .workflow,
      zuul.d, .zuul.d, .onedev, .mergify.yml, bors.toml, .bors.toml, .kodiak.toml, renovate.json,
      renovate.json5, .zuul.yaml, zuul.yaml, .vela.yml, .vela.yaml, .taskcluster.yml, .evergreen.yml,
      evergreen.yml, .packit.yaml, .packit.yml, .onedev-buildspec.yml, .cnb.yml, .space.kts, .scrutinizer.yml,
      .codeclimate.yml, .deepsource.toml, .lgtm.yml, .shippable.yml, .platform.app.yaml, devfile.yaml,
      .devfile.yaml, .stackblitzrc, sandbox.config.json, .renovaterc*, .gitpod.dockerfile
    `),
    except: listed("jenkinsfile.test.*s, jenkinsfile.spec.*s"),
    why: "run_by_ci",
    match: listed(`
      .github/workflows/ci.yml, .github/actions/a/action.yml, .github/FUNDING.yml,
      .github/copilot-instructions.md, .gitlab/ci/a.yml, .circleci/config.yml, .buildkite/pipeline.yml, .ci/run,
      .forgejo/workflows/a.yml, .gitea/workflows/a.yml, .woodpecker/a.yml, .tekton/a.yaml, .azuredevops/a.yml,
      .azure-pipelines/a.yml, .pipelines/a.yml, .jenkins/a, Jenkinsfile, Jenkinsfile.release,
      .teamcity/settings.kts, .semaphore/semaphore.yml, .builds/a.yml, .kokoro/a.cfg, .concourse/a.yml,
      .gitlab-ci.yml, .gitlab-ci-local.yml, .drone.yml, .drone.star, .cirrus.yml, .cirrus.star,
      azure-pipelines.yml, azure-pipelines-release.yaml, .woodpecker.yml, .woodpecker.yaml, appveyor.yml,
      appveyor.yaml, .appveyor.yml, .appveyor.yaml, .travis.yml, .travis.yaml, bitbucket-pipelines.yml,
      bitbucket-pipelines.yaml, codemagic.yml, codemagic.yaml, bitrise.yml, bitrise.yaml, buildspec.yml,
      buildspec.yaml, cloudbuild.yml, cloudbuild.yaml, wercker.yml, wercker.yaml, codefresh.yml, codefresh.yaml,
      screwdriver.yml, screwdriver.yaml, .build.yml, .build.yaml, .prow.yml, .prow.yaml, amplify.yml,
      amplify.yaml, .gitpod.yml, .gitpod.yaml, codeship-steps.yml, codeship-steps.yaml, codeship-services.yml,
      codeship-services.yaml, .harness/a, .dependabot/a, .mergify/a, .codesandbox/a, .platform/a, .upsun/a,
      .workflow/a, zuul.d/a, .zuul.d/a, .onedev/a, .mergify.yml, bors.toml, .bors.toml, .kodiak.toml,
      renovate.json, renovate.json5, .zuul.yaml, zuul.yaml, .vela.yml, .vela.yaml, .taskcluster.yml,
      .evergreen.yml, evergreen.yml, .packit.yaml, .packit.yml, .onedev-buildspec.yml, .cnb.yml, .space.kts,
      .scrutinizer.yml, .codeclimate.yml, .deepsource.toml, .lgtm.yml, .shippable.yml, .platform.app.yaml,
      devfile.yaml, .devfile.yaml, .stackblitzrc, sandbox.config.json, .renovaterc.json, .gitpod.Dockerfile
    `),
    notMatch: listed(`
      src/Jenkinsfile.test.ts, github/client.ts, ci/readme.md, docs/travis.md, gitlab.ts, build.yml.md, renovate.md, src/platform/a.ts,
      workflow/a.ts
    `),
  },
  {
    names: listed(`
      .vscode, *.code-workspace, .idea, .zed, .fleet, .vs, .nova, .theia, .helix, .exrc, .nvimrc, .nvim*,
      .config/nvim, .vimrc, .gvimrc, .ideavimrc, .vim, _vimrc, .emacs, .emacs.d, .config/emacs, .spacemacs,
      .dir-locals.el, .dir-locals-2.el, .gdbinit, .lldbinit*, .kakrc, *.sublime-project, .devcontainer,
      .devcontainer.json, devcontainer.json, .idx, .replit, .externaltoolbuilders, nbproject, .vimspector,
      .lvimrc, .local.vimrc, .lazy.lua, .neoconf.json, .gdbearlyinit, rust-analyzer.toml, .rust-analyzer.toml,
      hie.yaml, .project, .luarc.json*, .vimspector*, .kakrc.local, replit.nix
    `),
    why: "run_by_editor",
    match: listed(`
      .vscode/tasks.json, .vscode/extensions.json, a.code-workspace, .idea/workspace.xml, .zed/tasks.json,
      .fleet/run.json, .vs/tasks.vs.json, .nova/Tasks/a.json, .theia/tasks.json, .helix/languages.toml, .exrc,
      .nvimrc, .nvim.lua, .config/nvim/init.lua, .vimrc, .gvimrc, .ideavimrc, .vim/vimrc, _vimrc, .emacs,
      .emacs.d/init.el, .config/emacs/init.el, .spacemacs, .dir-locals.el, .dir-locals-2.el, .gdbinit,
      .lldbinit, .lldbinit-Xcode, .kakrc, a.sublime-project, .devcontainer/devcontainer.json,
      .devcontainer.json, devcontainer.json, .idx/dev.nix, .replit, .externaltoolbuilders/a, nbproject/a,
      .vimspector/a, .lvimrc, .local.vimrc, .lazy.lua, .neoconf.json, .gdbearlyinit, rust-analyzer.toml,
      .rust-analyzer.toml, hie.yaml, .project, .luarc.jsonc, .vimspector.json, .kakrc.local, replit.nix
    `),
    notMatch: listed(`
      .editorconfig, vscode/a.ts, idea.md, vim.md, gdbinit.md, workspace.ts, project.ts, lazy.lua, hie.md
    `),
  },
  {
    names: listed(`
      .direnv, .direnvrc, .config/direnv, .mise*, mise.toml, mise.*.toml, mise/tasks, mise/config.toml,
      .config/mise, .rtx*, .tool-versions, .autoenv*, .ondir*, flake.nix, shell.nix, devenv.nix, devenv.yaml,
      devbox.json, .prototools, .asdfrc, .sdkmanrc, .nvs, devbox.lock
    `),
    why: "run_on_entering",
    match: listed(`
      .direnv/x, .direnvrc, .config/direnv/direnvrc, .mise.toml, .mise/tasks/a, mise.toml, mise.local.toml,
      mise/tasks/a, mise/config.toml, .config/mise/config.toml, .rtx.toml, .tool-versions, .autoenv.zsh,
      .ondirrc, flake.nix, shell.nix, devenv.nix, devenv.yaml, devbox.json, .prototools, .asdfrc, .sdkmanrc,
      .nvs, devbox.lock
    `),
    notMatch: listed(`
      .nvmrc, .python-version, flake.lock.md, shell.ts, mise-en-place.md, promise.ts, asdf.md
    `),
  },
  {
    names: listed(`
      .bashrc*, .bash_profile, .bash_login, .bash_logout, .bash_aliases, .bash_completion, .profile, .profile.d,
      .zshrc*, .zshenv, .zprofile, .zlogin, .zlogout, .zsh, .zsh.d, .oh-my-zsh, .kshrc, .mkshrc, .cshrc,
      .tcshrc, .login, .logout, .config/fish, .config/nushell, .config/powershell, profile.ps1,
      microsoft.powershell_profile.ps1, .inputrc, .xprofile, .xinitrc, .xsession, .xsessionrc, .xserverrc,
      .pam_environment, .tmux.conf, .config/tmux, .screenrc, .pythonrc*, .pythonstartup, sitecustomize.py,
      usercustomize.py, .irbrc, .pryrc, .rprofile, .renviron, .psqlrc, .sqliterc, .ghci, .perldb, .guile,
      .octaverc, .wezterm.lua, .hammerspoon, .config/zsh, .config/bash, .config/elvish, .elvish, .config/xonsh,
      .oh-my-bash, .bash_it, .bash_completion.d, .zinit, .zim, .zprezto, .config/zellij, .config/kitty,
      .config/alacritty, .config/ghostty, .config/wezterm, .julia/config, .config/starship.toml, .xonshrc,
      .zimrc, .zpreztorc, .p10k.zsh, .fzf.bash, .fzf.zsh, .aliases, .pdbrc, .pdbrc.py, .iex.exs, .erlang,
      .sbclrc, .byebugrc, .rdbgrc, .mongoshrc.js, .duckdbrc, .lessfilter, .mailcap, .nanorc, .muttrc,
      .neomuttrc
    `),
    why: "run_at_start",
    match: listed(`
      .bashrc, .bashrc.local, .bash_profile, .bash_login, .bash_logout, .bash_aliases, .bash_completion,
      .profile, .profile.d/a.sh, .zshrc, .zshenv, .zprofile, .zlogin, .zlogout, .zsh/a, .zsh.d/a,
      .oh-my-zsh/custom/a.zsh, .kshrc, .mkshrc, .cshrc, .tcshrc, .login, .logout, .config/fish/config.fish,
      .config/nushell/env.nu, .config/powershell/profile.ps1, profile.ps1, Microsoft.PowerShell_profile.ps1,
      .inputrc, .xprofile, .xinitrc, .xsession, .xsessionrc, .xserverrc, .pam_environment, .tmux.conf,
      .config/tmux/tmux.conf, .screenrc, .pythonrc.py, .pythonstartup, sitecustomize.py, usercustomize.py,
      .irbrc, .pryrc, .Rprofile, .Renviron, .psqlrc, .sqliterc, .ghci, .perldb, .guile, .octaverc, .wezterm.lua,
      .hammerspoon/init.lua, .config/zsh/a, .config/bash/a, .config/elvish/a, .elvish/a, .config/xonsh/a,
      .oh-my-bash/a, .bash_it/a, .bash_completion.d/a, .zinit/a, .zim/a, .zprezto/a, .config/zellij/a,
      .config/kitty/a, .config/alacritty/a, .config/ghostty/a, .config/wezterm/a, .julia/config/a,
      .config/starship.toml, .xonshrc, .zimrc, .zpreztorc, .p10k.zsh, .fzf.bash, .fzf.zsh, .aliases, .pdbrc,
      .pdbrc.py, .iex.exs, .erlang, .sbclrc, .byebugrc, .rdbgrc, .mongoshrc.js, .duckdbrc, .lessfilter,
      .mailcap, .nanorc, .muttrc, .neomuttrc
    `),
    notMatch: listed(`
      profile.ts, bashrc.md, login.tsx, src/profile/index.ts, inputrc.md, customize.py, aliases.ts, starship.ts,
      erlang/a.erl, mailcap.md
    `),
  },
  {
    names: listed(`
      .config/autostart, .config/systemd, .local/share/systemd, .config/environment.d, .config/i3, .config/sway,
      .config/hypr, .i3, .local/bin, .cargo/bin, .local/share/applications, library/launchagents,
      library/launchdaemons, .crontab, crontab$, var/spool/cron, etc/crontab, etc/cron.*, etc/profile,
      etc/profile.d, etc/bash.bashrc, etc/environment, etc/systemd, etc/init.d, etc/rc.local, etc/ld.so.preload,
      etc/ld.so.conf.d, etc/pam.d, etc/passwd, etc/udev, etc/xdg/autostart, .forward, .procmailrc, .xbindkeysrc,
      .config/awesome, .config/bspwm, .config/qtile, .config/openbox, .config/river, .config/niri,
      .config/waybar, .config/polybar, .config/sxhkd, .config/xmonad, .xmonad, .config/plasma-workspace,
      .config/mpv, .local/share/dbus-1/services, .local/share/gnome-shell/extensions,
      .local/share/nautilus/scripts, .local/share/bash-completion, .nvm, .rbenv, .pyenv, .asdf, .sdkman, .volta,
      .rustup, .bun/bin, .deno/bin, .dotnet/tools, .krew/bin, .gradle/init.d, var/spool/at, etc/ssh,
      etc/apt/apt.conf.d, etc/logrotate.d, etc/update-motd.d, etc/zsh, etc/xinetd.d, etc/anacrontab, etc/fstab,
      etc/group, etc/hosts, .rhosts, .shosts, etc/hosts.equiv
    `),
    why: "run_by_system",
    match: listed(`
      .config/autostart/a.desktop, .config/systemd/user/a.service, .local/share/systemd/user/a.service,
      .config/environment.d/a.conf, .config/i3/config, .config/sway/config, .config/hypr/hyprland.conf,
      .i3/config, .local/bin/ls, .cargo/bin/cargo, .local/share/applications/a.desktop,
      Library/LaunchAgents/a.plist, Library/LaunchDaemons/a.plist, .crontab, crontab, var/spool/cron/me,
      etc/crontab, etc/cron.d/a, etc/profile, etc/profile.d/a.sh, etc/bash.bashrc, etc/environment,
      etc/systemd/system/a.service, etc/init.d/a, etc/rc.local, etc/ld.so.preload, etc/ld.so.conf.d/a.conf,
      etc/pam.d/sshd, etc/passwd, etc/udev/rules.d/a.rules, etc/xdg/autostart/a.desktop, .forward, .procmailrc,
      .xbindkeysrc, .config/awesome/a, .config/bspwm/a, .config/qtile/a, .config/openbox/a, .config/river/a,
      .config/niri/a, .config/waybar/a, .config/polybar/a, .config/sxhkd/a, .config/xmonad/a, .xmonad/a,
      .config/plasma-workspace/a, .config/mpv/a, .local/share/dbus-1/services/a,
      .local/share/gnome-shell/extensions/a, .local/share/nautilus/scripts/a, .local/share/bash-completion/a,
      .nvm/a, .rbenv/a, .pyenv/a, .asdf/a, .sdkman/a, .volta/a, .rustup/a, .bun/bin/a, .deno/bin/a,
      .dotnet/tools/a, .krew/bin/a, .gradle/init.d/a, var/spool/at/a, etc/ssh/a, etc/apt/apt.conf.d/a,
      etc/logrotate.d/a, etc/update-motd.d/a, etc/zsh/a, etc/xinetd.d/a, etc/anacrontab, etc/fstab, etc/group,
      etc/hosts, .rhosts, .shosts, etc/hosts.equiv
    `),
    notMatch: listed(`
      src/autostart.ts, bin/run.ts, systemd/readme.md, cron.ts, etc/notes.md, local/bin/a, src/awesome/a.ts,
      nvm.md, .gradle/caches/a, etc/readme.md
    `),
  },
];
