/** Where people's programs keep what opens other doors, below a home: one path a place. */
export const secretPlaces: readonly string[] = `
  .ssh/id_ed25519 | .ssh/config | .ssh/known_hosts | .gnupg/private-keys-v1.d/a.key | .gnupg/S.gpg-agent.extra
  .mozilla/firefox/a.default/logins.json | .config/google-chrome/Default/Login Data | .config/chromium/Default/Cookies
  .config/BraveSoftware/Brave-Browser/Default/Cookies | .config/microsoft-edge/Default/Login Data | .config/microsoft-edge-beta/Default/Cookies
  .config/vivaldi/Default/Cookies | .config/opera/Login Data | .config/opera-developer/Login Data | .config/google-chrome-beta/Default/Cookies
  .librewolf/a/key4.db | .waterfox/a/key4.db | .zen/a/key4.db | .config/epiphany/session_state.xml | .local/share/epiphany/cookies.sqlite
  .config/qutebrowser/quickmarks | .local/share/qutebrowser/webengine/Cookies | .config/falkon/profiles/a | .tor-browser/a/key4.db
  snap/firefox/common/.mozilla/firefox/a/logins.json | snap/chromium/common/chromium/Default/Cookies
  .var/app/org.mozilla.firefox/.mozilla/firefox/a/key4.db | .var/app/com.google.Chrome/config/google-chrome/Default/Cookies
  .electrum/wallets/default_wallet | .bitcoin/wallet.dat | .ethereum/keystore/a | .config/solana/id.json | .monero/wallet | .config/Exodus/exodus.wallet/a
  .config/Ledger Live/app.json | .local/share/keyrings/login.keyring | .local/share/kwalletd/kdewallet.kwl | .password-store/a.gpg | me.kdbx
  .config/keepassxc/keepassxc.ini | .config/Bitwarden/data.json | .config/Bitwarden CLI/data.json | .config/1Password/1password.sqlite | .config/op/config
  .config/Enpass/a | .config/rbw/config.json | .local/share/rbw/a | .lpass/key | .config/gopass/config | .local/share/gopass/stores/root/a.gpg
  .authinfo | .authinfo.gpg | .netrc | .pgpass | .my.cnf | .mylogin.cnf | .s3cfg | .boto | .wgetrc | .curlrc | .msmtprc | .fetchmailrc | .muttrc | .mutt/muttrc
  .config/mutt/muttrc | .config/neomutt/neomuttrc | .config/aerc/accounts.conf | .config/himalaya/config.toml | .config/isync/mbsyncrc | .mbsyncrc
  .aws/credentials | .aws/sso/cache/a.json | .azure/msal_token_cache.json | .config/gcloud/credentials.db | .kube/config | .docker/config.json
  .config/containers/auth.json | .config/doctl/config.yaml | .config/hcloud/cli.toml | .config/linode-cli | .config/scw/config.yaml | .oci/config
  .aliyun/config.json | .terraform.d/credentials.tfrc.json | .terraformrc | .pulumi/credentials.json | .config/rclone/rclone.conf | .rclone.conf
  .config/heroku/config.json | .heroku/a | .config/netlify/config.json | .netlify/config.json | .wrangler/config/default.toml | .config/.wrangler/config/default.toml
  .fly/config.yml | .railway/config.json | .vercel/auth.json | .local/share/com.vercel.cli/auth.json | .config/vercel/auth.json | .render/cli.yaml
  .config/gh/hosts.yml | .config/hub | .config/glab-cli/config.yml | .config/tea/config.yml | .config/jira-cli/a | .config/.jira/.config.yml | .jira.d/config.yml
  .git-credentials | .config/git/credentials | .npmrc | .yarnrc | .yarnrc.yml | .pypirc | .config/pip/pip.conf | .pip/pip.conf | .config/pypoetry/auth.toml
  .gem/credentials | .bundle/config | .hex/hex.config | .cargo/credentials | .cargo/credentials.toml | .composer/auth.json | .config/composer/auth.json
  .nuget/NuGet/NuGet.Config | .config/NuGet/NuGet.Config | .m2/settings.xml | .m2/settings-security.xml | .gradle/gradle.properties | .ivy2/.credentials
  .sbt/.credentials | .lein/credentials.clj | .pub-cache/credentials.json | .config/dart/pub-credentials.json | .julia/servers/a/auth.toml | .condarc
  .huggingface/token | .cache/huggingface/token | .kaggle/kaggle.json | .config/wandb/settings | .openai/auth.json | .config/anthropic/a | .codex/auth.json
  .claude/.credentials.json | .claude.json | .gemini/oauth_creds.json | .config/github-copilot/hosts.json | .config/opencode/a | .local/share/opencode/auth.json
  .cursor/mcp.json | .config/Cursor/User/globalStorage/state.vscdb | .config/Code/User/globalStorage/state.vscdb | .config/JetBrains/IdeaIC2026.1/c.kdbx
  .bash_history | .zsh_history | .history | .local/share/fish/fish_history | .python_history | .node_repl_history | .psql_history | .mysql_history | .lesshst
  .sqlite_history | .local/share/nvim/shada/main.shada | .local/state/nvim/shada/main.shada | .viminfo | .rediscli_history | .irb_history | .local/state/bash/history
  .thunderbird/a/key4.db | .config/evolution/a | .local/share/evolution/mail/a | .config/Signal/config.json | .local/share/TelegramDesktop/tdata/key_datas
  .config/Slack/Cookies | .config/discord/Cookies | .config/Element/a | .config/teams/Cookies | .config/Microsoft/Microsoft Teams/Cookies | .config/skypeforlinux/a
  .irssi/config | .weechat/sec.conf | .config/weechat/sec.conf | .config/hexchat/servlist.conf | .purple/accounts.xml | .config/zoomus.conf | .zoom/data/a
  .config/filezilla/sitemanager.xml | .config/remmina/a.remmina | .local/share/remmina/a.remmina | .vnc/passwd | .config/freerdp/a | .putty/sessions/a
  .config/sops/age/keys.txt | .age/key.txt | .config/age/keys.txt | .step/secrets/a | .vault-token | .config/nomad/token | .consul-token | .tsh/keys/a | .databrickscfg
  .snowsql/config | .dbt/profiles.yml | .config/ngrok/ngrok.yml | .ngrok2/ngrok.yml | .cloudflared/cert.pem | .config/tailscale/a | .minikube/profiles/a/client.key
  .config/stripe/config.toml | .config/twilio-cli/config.json | .config/configstore/firebase-tools.json | .config/firebase/a | .expo/state.json | .android/adbkey
  .android/debug.keystore | .Xauthority | .ICEauthority | .dbus/session-bus/a | .config/obs-studio/basic/profiles/a/service.json | .config/spotify/Users/a | .config/syncthing/key.pem
  .config/transmission/settings.json | .config/qBittorrent/qBittorrent.conf | .config/rustdesk/RustDesk.toml | .config/nextcloud/nextcloud.cfg | .dropbox/a
  notes/passwords.txt | Documents/tax.pdf | Downloads/recovery-codes.txt | .config/dconf/user | .smbcredentials | .davfs2/secrets
`
  .split(/[|\n]/u)
  .map((place) => place.trim())
  .filter((place) => place !== "");
