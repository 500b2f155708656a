import { type ListRow, listed } from "./row.ts";

/** The files that are read, or written, only after a person has looked at the call. */
export const secretsList: readonly ListRow[] = [
  {
    names: listed(".env*, *.env, .dev.vars*, .flaskenv, local.settings.json"),
    except: listed(".env.example, .env.sample, .env.template, example.env, sample.env, template.env"),
    why: "secrets_by_name",
    match: listed(`
      .env, .Env.Production, app/.env.local, .envrc, .envs/.production/x, prod.env, .dev.vars, .flaskenv,
      local.settings.json
    `),
    notMatch: listed(`
      .env.example, .env.sample, app/.env.template, example.env, env.ts, vite-env.d.ts, environment.yaml,
      settings.json
    `),
  },
  {
    names: listed(`
      .ssh, id_rsa, id_dsa, id_ecdsa, id_ed25519, id_ecdsa_sk, id_ed25519_sk, id_xmss, id_rsa_*, id_rsa-*,
      id_dsa_*, id_dsa-*, id_ecdsa_*, id_ecdsa-*, id_ed25519_*, id_ed25519-*, id_*.bak, id_*.old, ssh_host_*_key,
      *.ppk, authorized_keys
    `),
    except: listed("*.pub, *.md, *.txt, *.ts, *.js, *.py, *.go, *.rs, *.c, *.h, *.java, *.rb, *.sh, *.html"),
    why: "opens_machines",
    match: listed(`
      .ssh/config, .ssh/authorized_keys, id_rsa, keys/id_ed25519, id_rsa_work, id_rsa-old, id_dsa_a, id_ecdsa_a,
      id_ecdsa-a, id_ed25519_github.com, id_ed25519-a, id_rsa.old, id_ecdsa, id_dsa, id_ecdsa.bak, id_ed25519_sk,
      id_dsa-old, id_xmss, id_ecdsa_sk, ssh_host_rsa_key, putty.PPK, authorized_keys
    `),
    notMatch: listed("id_generator.ts, id_rsa.pub, id_ed25519_work.pub, src/id_rsa_parser.ts, ssh_config.md, idea.md"),
  },
  {
    names: listed(`
      *.pem, *.key, *.p8, *.p12, *.pfx, *.pkcs12, *.jks, *.keystore, *.bks, *.kdbx, *.kdb, *.agekey, key.age,
      *.ovpn, wg*.conf, .gnupg, .password-store, secring.gpg, master.key, .pki, .config/sops, .step, *.jceks,
      *.keytab, krb5cc_*, *.publishsettings, cwallet.sso, key.properties, keystore.properties,
      signing.properties, .age, .config/age, .android/adbkey
    `),
    why: "private_key",
    match: listed(`
      server.pem, tls/server.key, AuthKey.p8, cert.p12, cert.pfx, a.pkcs12, a.jks, debug.keystore, a.bks,
      me.kdbx, me.kdb, x.agekey, key.age, office.ovpn, wg0.conf, .gnupg/pubring.kbx, .password-store/a.gpg,
      secring.gpg, config/master.key, .pki/a, .config/sops/a, .step/a, a.jceks, krb5.keytab, krb5cc_1000,
      a.publishsettings, cwallet.sso, android/key.properties, keystore.properties, signing.properties,
      .age/key.txt, .config/age/keys.txt, .android/adbkey
    `),
    notMatch: listed(`
      age/a.ts, android/app.kt, key.ts, keys.json, pem.go, keyboard.md, server.crt, monkey.py, wgpu.rs, keys.properties, pki.ts,
      steps/a.ts
    `),
  },
  {
    names: listed(`
      .netrc, _netrc, .authinfo, .authinfo.gpg, .pgpass, .pg_service.conf, .my.cnf, .mylogin.cnf, .npmrc,
      .pypirc, .git-credentials, .config/git/credentials, .cargo/credentials, .cargo/credentials.toml,
      .gem/credentials, .composer/auth.json, auth.json, .m2/settings.xml, .m2/settings-security.xml, .htpasswd,
      .s3cfg, .boto, .wgetrc, .curlrc, .fetchmailrc, .msmtprc, .vault-token, .vault_pass*, .vault-pass*,
      .databrickscfg, .dockercfg, .subversion/auth, .netrc.gpg, pgpass.conf, .odbc.ini, cqlshrc, .erlang.cookie,
      .xauthority, .iceauthority, .passwd-s3fs, pypoetry/auth.toml, .hex/hex.config, .gradle/gradle.properties,
      .lein/credentials.clj, .offlineimaprc, .mbsyncrc, .getmailrc, .modal.toml, cookies.txt, wp-config.php,
      .claude.json, ngrok.yml, .vnc, .davfs2, .smbcredentials, .smbcredentials*, .muttrc, .mutt/muttrc, .config/mutt, .config/neomutt,
      .config/aerc/accounts.conf, .config/himalaya, .config/isync, .pip/pip.conf, .config/pip/pip.conf, .bundle/config,
      .nuget/nuget/nuget.config, .config/nuget/nuget.config, .condarc, .julia/servers, .irssi, .weechat, .config/weechat,
      .config/hexchat, .config/transmission, .config/qbittorrent, .config/rustdesk, .config/remmina, .config/freerdp,
      .config/nextcloud, .pub-cache/credentials.json, .config/dart/pub-credentials.json
    `),
    why: "service_tokens",
    match: listed(`
      .netrc, _netrc, .authinfo, .authinfo.gpg, .pgpass, .pg_service.conf, .my.cnf, .mylogin.cnf, .npmrc,
      packages/a/.npmrc, .pypirc, .git-credentials, .config/git/credentials, .cargo/credentials,
      .cargo/credentials.toml, .gem/credentials, .composer/auth.json, auth.json, .m2/settings.xml,
      .m2/settings-security.xml, .htpasswd, .s3cfg, .boto, .wgetrc, .curlrc, .fetchmailrc, .msmtprc,
      .vault-token, .vault_pass.txt, .vault-password, .databrickscfg, .dockercfg, .subversion/auth/svn.simple,
      .netrc.gpg, pgpass.conf, .odbc.ini, cqlshrc, .erlang.cookie, .xauthority, .iceauthority, .passwd-s3fs,
      pypoetry/auth.toml, .hex/hex.config, .gradle/gradle.properties, .lein/credentials.clj, .offlineimaprc,
      .mbsyncrc, .getmailrc, .modal.toml, cookies.txt, wp-config.php, .claude.json, ngrok.yml, .vnc/a,
      .davfs2/a, .smbcredentials/a, .smbcredentials, .muttrc, .mutt/muttrc, .config/mutt/muttrc, .config/neomutt/neomuttrc,
      .config/aerc/accounts.conf, .config/himalaya/config.toml, .config/isync/mbsyncrc, .pip/pip.conf, .config/pip/pip.conf,
      .bundle/config, .nuget/NuGet/NuGet.Config, .config/NuGet/NuGet.Config, .condarc, .julia/servers/a/auth.toml,
      .irssi/config, .weechat/sec.conf, .config/weechat/sec.conf, .config/hexchat/servlist.conf,
      .config/transmission/settings.json, .config/qBittorrent/qBittorrent.conf, .config/rustdesk/RustDesk.toml,
      .config/remmina/a.remmina, .config/freerdp/a, .config/nextcloud/nextcloud.cfg, .pub-cache/credentials.json,
      .config/dart/pub-credentials.json
    `),
    notMatch: listed(`
      netrc.md, npmrc.ts, src/auth.ts, auth/index.json, .htaccess, settings.xml, boto/client.py,
      wp-config-sample.php, docs/cookies.md, gradle.properties, ngrok.ts, NuGet.Config, pip/pip.conf, bundle/config, weechat/a.py, .config/pip/notes, src/irssi.c
    `),
  },
  {
    names: listed(`
      .aws, .azure, .docker, .kube, kubeconfig$, *.kubeconfig, .config/gcloud, .config/gh, gh/hosts.yml,
      .config/hub, .config/glab-cli, .config/doctl, .config/hcloud, .config/rclone, rclone.conf, .config/op,
      .config/solana, .oci, .aliyun, .bluemix, .fly, .netlify/config.json, .wrangler,
      .terraform.d/credentials.tfrc.json, .terraformrc, terraform.rc, .pulumi/credentials.json, .kaggle,
      .huggingface, .cache/huggingface/token, .snowsql, .dbt/profiles.yml, .config/github-copilot,
      .config/configstore, .config/stripe, .config/ngrok, .ngrok2, .cloudflared, .supabase, .mc, .config/scw,
      .config/linode-cli, .config/openstack, .tsh, .chef, .snowflake, .databricks, .awsvault, .okta,
      .config/neonctl, .config/anthropic, .config/openai, .saml2aws, .ovh.conf, clouds.yaml, clouds.yml,
      .kamal/secrets, .vultr-cli.yaml, .civo.json, *-openrc.sh, .rclone.conf, .config/heroku, .heroku,
      .config/netlify, .railway, .render, .config/tea, .config/jira-cli, .config/.jira, .jira.d, .config/wandb, .config/nomad,
      .consul-token, .config/tailscale, .config/twilio-cli, .config/firebase, .expo/state.json
    `),
    why: "cloud_access",
    match: listed(`
      .aws/credentials, .azure/accessTokens.json, .docker/config.json, .kube/config, kubeconfig,
      prod.kubeconfig, .config/gcloud/credentials.db, .config/gh/hosts.yml, gh/hosts.yml, .config/hub,
      .config/glab-cli/config.yml, .config/doctl/config.yaml, .config/hcloud/cli.toml,
      .config/rclone/rclone.conf, rclone.conf, .config/op/config, .config/solana/id.json, .oci/config,
      .aliyun/config.json, .bluemix/config.json, .fly/config.yml, .netlify/config.json,
      .wrangler/config/default.toml, .terraform.d/credentials.tfrc.json, .terraformrc, terraform.rc,
      .pulumi/credentials.json, .kaggle/kaggle.json, .huggingface/token, .cache/huggingface/token,
      .snowsql/config, .dbt/profiles.yml, .config/github-copilot/a, .config/configstore/a, .config/stripe/a,
      .config/ngrok/a, .ngrok2/a, .cloudflared/a, .supabase/a, .mc/a, .config/scw/a, .config/linode-cli/a,
      .config/openstack/a, .tsh/a, .chef/a, .snowflake/a, .databricks/a, .awsvault/a, .okta/a,
      .config/neonctl/a, .config/anthropic/a, .config/openai/a, .saml2aws, .ovh.conf, clouds.yaml, clouds.yml,
      .kamal/secrets, .vultr-cli.yaml, .civo.json, prod-openrc.sh, .rclone.conf, .config/heroku/config.json, .heroku/a,
      .config/netlify/config.json, .railway/config.json, .render/cli.yaml, .config/tea/config.yml, .config/jira-cli/a,
      .config/.jira/.config.yml, .jira.d/config.yml, .config/wandb/settings, .config/nomad/token, .consul-token,
      .config/tailscale/a, .config/twilio-cli/config.json, .config/firebase/a, .expo/state.json
    `),
    notMatch: listed(
      "aws/lambda.ts, docker/README.md, .dockerignore, kube/deploy.yaml, terraform/main.tf, .config/nvm, clouds.ts, supabase/config.toml, chef/a.rb, openrc.md, heroku/a.ts, render/a.ts, .config/netlify.md, .expo/types/a.ts",
    ),
  },
  {
    names: listed(`
      credentials$, credentials.json, credentials.y*ml, credentials.toml, client_secret*.json,
      client-secret*.json, service-account*.json, service_account*.json, serviceaccount*.json,
      application_default_credentials.json, secrets.json, secrets.y*ml, secrets.toml, secrets.ini,
      secrets.properties, secret.json, secret.y*ml, .secrets, .secret, .token, .tokens, etc/shadow, etc/shadow-,
      etc/gshadow, etc/sudoers, etc/sudoers.d, wallet.dat, oauth_creds.json, .credentials.json,
      *-credentials.json, *_credentials.json, *credentials.csv,
      *_accesskeys.csv, rootkey.csv, gha-creds-*.json, *firebase-adminsdk*.json, .credentials
    `),
    why: "credentials_by_name",
    match: listed(`
      credentials, credentials.json, credentials.yml, credentials.toml, client_secret_1.json,
      client-secret.json, service-account.json, service_account_prod.json, serviceAccountKey.json,
      application_default_credentials.json, secrets.json, config/secrets.yml, .streamlit/secrets.toml,
      secrets.ini, secrets.properties, secret.json, secret.yaml, .secrets, .secret, .token, .tokens, etc/shadow,
      etc/shadow-, etc/gshadow, etc/sudoers, etc/sudoers.d/x, wallet.dat, oauth_creds.json,
      .claude/.credentials.json, prod-credentials.json, my_credentials.json, new_user_credentials.csv,
      me_accessKeys.csv, rootkey.csv, gha-creds-1a2b.json, shop-firebase-adminsdk-x.json, .ivy2/.credentials
    `),
    notMatch: listed(`
      src/credentials/index.ts, credentials.ts, secrets.ts, src/secrets/index.ts, token.go, client_secret.rs,
      docs/credentials.md, service-account.md, credentials.schema.json, keys.csv, firebase.json
    `),
  },
  {
    names: listed("*.tfstate, *.tfstate.*, *.tfvars, *.tfvars.json"),
    why: "infrastructure_state",
    match: listed("terraform.tfstate, terraform.tfstate.backup, prod.tfvars, prod.tfvars.json"),
    notMatch: listed("main.tf, variables.tf, prod.tfvars.example"),
  },
  {
    names: listed(`
      .bash_history, .zsh_history, .zhistory, .sh_history, .ash_history, .ksh_history, .history, fish_history,
      .python_history, .node_repl_history, .ts_node_repl_history, .psql_history, .mysql_history, .sqlite_history,
      .rediscli_history, .irb_history, .pry_history, .dbshell, .mongorc.js, .lesshst, .viminfo,
      consolehost_history.txt, main.shada, .local/state/bash/history, .local/state/zsh/history, .zsh_sessions
    `),
    why: "typed_secrets",
    match: listed(`
      .bash_history, .zsh_history, .zhistory, .sh_history, .ash_history, .ksh_history, .history,
      .local/share/fish/fish_history, .python_history, .node_repl_history, .ts_node_repl_history, .psql_history,
      .mysql_history, .sqlite_history, .rediscli_history, .irb_history, .pry_history, .dbshell, .mongorc.js,
      .lesshst, .viminfo, ConsoleHost_history.txt, .local/state/nvim/shada/main.shada,
      .local/state/bash/history, .local/state/zsh/history, .zsh_sessions/a
    `),
    notMatch: listed("history.ts, HISTORY.md, src/history/index.ts, bash_history.md"),
  },
  {
    names: listed(`
      .local/share/keyrings, library/keychains, .mozilla, .thunderbird, .config/google-chrome, .config/chromium,
      .config/bravesoftware, .config/microsoft-edge, .config/vivaldi, logins.json, key4.db, cookies.sqlite,
      login data, .electrum, .bitcoin, .ethereum, .config/signal, .config/slack, .config/discord, .var/app,
      .purple, .putty, .config/filezilla, .filezilla, .local/share/remmina, .config/opera, .librewolf,
      .local/share/telegramdesktop, library/cookies, library/messages, library/application support/google,
      library/application support/firefox, library/application support/bravesoftware, .lpass,
      .config/bitwarden cli, .config/1password, filezilla.xml, sitemanager.xml, .config/google-chrome-*, .config/microsoft-edge-*,
      .config/opera-*, .config/vivaldi-*, .config/epiphany, .local/share/epiphany, .config/qutebrowser,
      .local/share/qutebrowser, .config/falkon, .waterfox, .zen, .tor-browser, snap/firefox, snap/chromium, snap/brave,
      .monero, .config/exodus, .config/ledger live, .local/share/kwalletd, .config/keepassxc, .config/bitwarden,
      .config/enpass, .config/rbw, .local/share/rbw, .config/gopass, .local/share/gopass, .config/evolution,
      .local/share/evolution, .config/element, .config/teams, .config/microsoft, .config/skypeforlinux, .config/zoomus.conf,
      .zoom, .config/spotify, .config/obs-studio, .dropbox, .config/cursor, .config/code/user/globalstorage,
      .config/vscodium/user/globalstorage
    `),
    why: "person_keys",
    match: listed(`
      .local/share/keyrings/login.keyring, Library/Keychains/login.keychain-db, .mozilla/firefox/profiles.ini,
      .thunderbird/profiles.ini, .config/google-chrome/Default/Cookies, .config/chromium/Default,
      .config/BraveSoftware/x, .config/microsoft-edge/x, .config/vivaldi/x, logins.json, key4.db,
      cookies.sqlite, Login Data, .electrum/wallets/a, .bitcoin/wallet, .ethereum/keystore/a,
      .config/Signal/config.json, .config/Slack/storage, .config/discord/x, .var/app/a, .purple/a, .putty/a,
      .config/filezilla/a, .filezilla/a, .local/share/remmina/a, .config/opera/a, .librewolf/a,
      .local/share/telegramdesktop/a, library/cookies/a, library/messages/a,
      library/application support/google/a, library/application support/firefox/a,
      library/application support/bravesoftware/a, .lpass/a, .config/bitwarden cli/a, .config/1password/a,
      filezilla.xml, sitemanager.xml, .config/google-chrome-beta/Default/Cookies, .config/microsoft-edge-dev/x,
      .config/opera-developer/x, .config/vivaldi-snapshot/x, .config/epiphany/a, .local/share/epiphany/a,
      .config/qutebrowser/a, .local/share/qutebrowser/webengine/Cookies, .config/falkon/a, .waterfox/a, .zen/a,
      .tor-browser/a, snap/firefox/common/a, snap/chromium/common/a, snap/brave/a, .monero/wallet,
      .config/Exodus/exodus.wallet, .config/Ledger Live/app.json, .local/share/kwalletd/a.kwl,
      .config/keepassxc/keepassxc.ini, .config/Bitwarden/data.json, .config/Enpass/a, .config/rbw/config.json,
      .local/share/rbw/a, .config/gopass/config, .local/share/gopass/a, .config/evolution/a, .local/share/evolution/a,
      .config/Element/a, .config/teams/Cookies, .config/Microsoft/Microsoft Teams/Cookies, .config/skypeforlinux/a,
      .config/zoomus.conf, .zoom/data/a, .config/spotify/Users/a, .config/obs-studio/basic/a, .dropbox/a,
      .config/Cursor/User/globalStorage/state.vscdb, .config/Code/User/globalStorage/state.vscdb,
      .config/VSCodium/User/globalStorage/state.vscdb
    `),
    notMatch: listed(`
      .config/Code/User/settings.json, snap/snapcraft.yaml, zen/a.md, element/a.ts, .config/google/a, src/logins.ts, cookies.ts, mozilla/readme.md, .config/htop/htoprc, ethereum/a.sol, src/purple.ts,
      putty.md, sitemap.xml
    `),
  },
];
