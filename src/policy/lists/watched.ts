import { type ListRow, listed } from "./row.ts";

/** The files that run, or choose what runs, when the person builds, tests or installs: one look at each change. */
export const watchedList: readonly ListRow[] = [
  {
    names: listed(`
      package.json, package-lock.json, npm-shrinkwrap.json, yarn.lock, pnpm-lock.yaml, pnpm-workspace.yaml,
      bun.lock*, bunfig.toml, .yarnrc*, .yarn, .pnpmfile.*, .pnp.*, deno.json*, jsr.json, lerna.json, nx.json,
      rush.json, turbo.json, angular.json, .moon, .bowerrc, bower.json, nodemon.json, moon.yml, firebase.json,
      tauri.conf.json, wails.json, electron-builder.yml, .swcrc, .parcelrc, .release-it*,
      .releaserc*, .versionrc*
    `),
    why: "run_on_install",
    match: listed(`
      package.json, packages/a/package.json, package-lock.json, npm-shrinkwrap.json, yarn.lock, pnpm-lock.yaml,
      pnpm-workspace.yaml, bun.lockb, bunfig.toml, .yarnrc.yml, .yarn/releases/yarn.cjs, .pnpmfile.cjs,
      .pnp.cjs, deno.jsonc, jsr.json, lerna.json, nx.json, rush.json, turbo.json, angular.json, .moon/a,
      .bowerrc, bower.json, nodemon.json, moon.yml, firebase.json, tauri.conf.json, wails.json,
      electron-builder.yml, .swcrc, .parcelrc, .release-it.json, .releaserc.json, .versionrc.js
    `),
    notMatch: listed(`
      package.ts, my-package.json, tsconfig.json, yarn.md, data/turbo.ts, firebase.ts,
      releases.md
    `),
  },
  {
    names: listed(`
      *.config.js, *.config.cjs, *.config.mjs, *.config.ts, *.config.cts, *.config.mts, *.conf.js, *.conf.ts,
      .eslintrc.*js, .babelrc.*js, .prettierrc.*js, .mocharc.*js, .stylelintrc.*js, gulpfile.*, gruntfile.*,
      jakefile*, webpack.*.js, .storybook, .vitepress, .vuepress, .dumi, .eleventy.js, ember-cli-build.js,
      wallaby.js, .sequelizerc, codegen.yml, codegen.yaml, knexfile.*, ormconfig.*, gatsby-*.*s, .umirc.*,
      .proxyrc.*, vitest.workspace.*, .ncurc.*js
    `),
    why: "run_as_code",
    match: listed(`
      vite.config.ts, eslint.config.js, a.config.cjs, next.config.mjs, a.config.cts, a.config.mts,
      karma.conf.js, wdio.conf.ts, .eslintrc.cjs, .babelrc.js, .prettierrc.mjs, .mocharc.cjs, .stylelintrc.js,
      gulpfile.js, Gruntfile.js, Jakefile.js, webpack.prod.js, .storybook/main.ts, .vitepress/a, .vuepress/a,
      .dumi/a, .eleventy.js, ember-cli-build.js, wallaby.js, .sequelizerc, codegen.yml, codegen.yaml,
      knexfile.ts, ormconfig.js, gatsby-node.js, .umirc.ts, .proxyrc.js, vitest.workspace.ts, .ncurc.cjs
    `),
    notMatch: listed(`
      config.ts, src/config/index.ts, app.config.json, configure.md, .prettierrc, .eslintrc.json, gatsby.md,
      knex.ts, eleventy.ts
    `),
  },
  {
    names: listed(`
      pyproject.toml, setup.py, setup.cfg, conftest.py, tox.ini, noxfile.py, pytest.ini, fabfile.py, dodo.py,
      hatch_build.py, hatch.toml, pipfile, pipfile.lock, poetry.lock, uv.lock, uv.toml, pdm.lock,
      requirements*.txt, requirements*.in, environment.yml, environment.yaml, .pylintrc, pylintrc, pavement.py,
      *.pth, pip.conf, pixi.toml, .flake8, mypy.ini, .mypy.ini, .coveragerc, docs/conf.py, doc/conf.py,
      mkdocs.yml, buildout.cfg, .condarc, dodo.toml, constraints*.txt, conda-lock.y*ml, gunicorn.conf.py
    `),
    why: "run_by_python",
    match: listed(`
      pyproject.toml, setup.py, setup.cfg, tests/conftest.py, tox.ini, noxfile.py, pytest.ini, fabfile.py,
      dodo.py, hatch_build.py, hatch.toml, Pipfile, Pipfile.lock, poetry.lock, uv.lock, uv.toml, pdm.lock,
      requirements-dev.txt, requirements.in, environment.yml, environment.yaml, .pylintrc, pylintrc,
      pavement.py, a.pth, pip.conf, pixi.toml, .flake8, mypy.ini, .mypy.ini, .coveragerc, docs/conf.py,
      doc/conf.py, mkdocs.yml, buildout.cfg, .condarc, dodo.toml, constraints.txt, conda-lock.yml,
      gunicorn.conf.py
    `),
    notMatch: listed(`
      src/setup_tools.py, app/main.py, docs/requirements.md, test_a.py, setup.md, src/conf.py, flake8.md,
      constraints.py
    `),
  },
  {
    names: listed(`
      makefile, makefile.*, gnumakefile, *.mk, *.mak, cmakelists.txt, *.cmake, cmakepresets.json,
      cmakeuserpresets.json, configure$, configure.ac, configure.in, autogen.sh, bootstrap.sh, meson.build,
      meson_options.txt, meson.options, build.ninja, sconstruct, sconscript, wscript$, waf$, xmake.lua,
      premake*.lua, conanfile.*, vcpkg.json, *.bazel, *.bzl, .bazelrc, .bazelversion, .buckconfig, buck$, *.gyp,
      *.gypi, justfile, .justfile, *.just, taskfile, taskfile.*, tup*file, earthfile, tiltfile, snakefile,
      build$, workspace$, workspace.bzlmod, .bazeliskrc, pants.toml, jamfile, jamroot, jamroot.jam, kbuild,
      kconfig, book.toml, bacon.toml, .air.toml, buf.gen.yaml, sqlc.yaml, .plzconfig*, *.pri, kconfig.*
    `),
    except: listed(`
      makefile.test.*s, makefile.spec.*s, taskfile.test.*s, taskfile.spec.*s, conanfile.test.*s, kconfig.test.*s
    `),
    why: "run_by_builder",
    match: listed(`
      Makefile, sub/makefile, Makefile.am, GNUmakefile, rules.mk, a.mak, CMakeLists.txt, cmake/a.cmake,
      CMakePresets.json, CMakeUserPresets.json, configure, configure.ac, configure.in, autogen.sh, bootstrap.sh,
      meson.build, meson_options.txt, meson.options, build.ninja, SConstruct, SConscript, wscript, waf,
      xmake.lua, premake5.lua, conanfile.py, vcpkg.json, BUILD.bazel, MODULE.bazel, defs.bzl, .bazelrc,
      .bazelversion, .buckconfig, BUCK, binding.gyp, a.gypi, justfile, .justfile, a.just, Taskfile.yml,
      taskfile, Tupfile, Earthfile, Tiltfile, Snakefile, BUILD, WORKSPACE, workspace.bzlmod, .bazeliskrc,
      pants.toml, jamfile, jamroot, jamroot.jam, kbuild, kconfig, book.toml, bacon.toml, .air.toml,
      buf.gen.yaml, sqlc.yaml, .plzconfig.local, a.pri, Kconfig.debug
    `),
    notMatch: listed(`
      src/make.ts, build/a.ts, docs/makefiles.md, configure.ts, just.md, remake.py, bazel.md, workspace/a.ts,
      build.md, src/build/x, book.md, src/Makefile.test.ts, makefile.spec.js, Taskfile.test.mjs, kconfig.test.rs
    `),
  },
  {
    names: listed(`
      cargo.toml, cargo.lock, build.rs, .cargo, rust-toolchain, rust-toolchain.toml, clippy.toml, go.mod,
      go.work, go.env, magefile.go, magefiles, .goreleaser.*, build.zig, build.zig.zon, dub.json, dub.sdl,
      *.nimble, config.nims, shard.yml, package.swift, podfile, cartfile, fastfile, fastlane, *.xcodeproj,
      *.xcworkspace, project.yml, tuist, trunk.toml, cross.toml, .config/nextest.toml, dioxus.toml, mintfile,
      gleam.toml, deps/build.jl
    `),
    why: "run_by_compiler",
    match: listed(`
      Cargo.toml, Cargo.lock, build.rs, .cargo/config.toml, rust-toolchain, rust-toolchain.toml, clippy.toml,
      go.mod, go.work, go.env, magefile.go, magefiles/a.go, .goreleaser.yaml, build.zig, build.zig.zon,
      dub.json, dub.sdl, a.nimble, config.nims, shard.yml, Package.swift, Podfile, Cartfile, Fastfile,
      fastlane/Fastfile, a.xcodeproj/project.pbxproj, a.xcworkspace/x, project.yml, tuist/a, trunk.toml,
      cross.toml, .config/nextest.toml, dioxus.toml, mintfile, gleam.toml, deps/build.jl
    `),
    notMatch: listed(`
      src/build.ts, src/cargo.rs, main.go, swift/a.swift, go.md, rebuild.rs, trunk.rs, gleam.ts
    `),
  },
  {
    names: listed(`
      pom.xml, *.gradle, *.gradle.kts, gradle.properties, gradlew, gradlew.bat, gradle/wrapper,
      gradle/libs.versions.toml, buildsrc, mvnw, mvnw.cmd, .mvn, build.xml, ivy.xml, *.sbt,
      project/build.properties, build.sc, build.mill, deps.edn, project.clj, bb.edn, shadow-cljs.edn,
      build.boot, *.csproj, *.fsproj, *.vbproj, *.vcxproj, *.props, *.targets, nuget.config, global.json, *.sln,
      build.cake, build.fsx, paket.dependencies, .config/dotnet-tools.json, profiles.clj, gradle.lockfile,
      *.slnx, *.proj, *.wixproj, *.sqlproj, *.esproj
    `),
    why: "run_by_build",
    match: listed(`
      pom.xml, build.gradle, settings.gradle.kts, gradle.properties, gradlew, gradlew.bat,
      gradle/wrapper/gradle-wrapper.properties, gradle/libs.versions.toml, buildSrc/a.kt, mvnw, mvnw.cmd,
      .mvn/extensions.xml, build.xml, ivy.xml, build.sbt, project/build.properties, build.sc, build.mill,
      deps.edn, project.clj, bb.edn, shadow-cljs.edn, build.boot, a.csproj, a.fsproj, a.vbproj, a.vcxproj,
      Directory.Build.props, a.targets, nuget.config, global.json, a.sln, build.cake, build.fsx,
      paket.dependencies, .config/dotnet-tools.json, profiles.clj, gradle.lockfile, a.slnx, dirs.proj,
      a.wixproj, a.sqlproj, a.esproj
    `),
    notMatch: listed(`
      src/Main.java, gradle.md, project/a.scala, targets.ts, global.ts, App.xml, proj.ts, dotnet-tools.md
    `),
  },
  {
    names: listed(`
      gemfile, gemfile.*, gems.rb, rakefile, rakefile.*, *.rake, *.gemspec, .bundle, guardfile, capfile,
      thorfile, dangerfile, .rspec, brewfile, vagrantfile, composer.json, composer.lock, phpunit.xml*,
      .php-cs-fixer*, mix.exs, mix.lock, rebar.config, *.cabal, cabal.project*, stack.yaml, setup.hs, dune$,
      dune-project, *.opam, cpanfile, makefile.pl, build.pl, *.rockspec, pubspec.yaml, build.yaml, default.nix,
      *.el.in, .rubocop.yml, config.ru, .simplecov, .yardopts, steepfile, appraisals, .formatter.exs,
      .credo.exs, rector.php, renv.lock, config/deploy.rb, phpstan.neon*, psalm.xml*, rebar.config.*, renv
    `),
    why: "run_by_language",
    match: listed(`
      Gemfile, Gemfile.lock, gems.rb, Rakefile, rakefile.rb, lib/tasks/a.rake, a.gemspec, .bundle/config,
      Guardfile, Capfile, Thorfile, Dangerfile, .rspec, Brewfile, Vagrantfile, composer.json, composer.lock,
      phpunit.xml.dist, .php-cs-fixer.php, mix.exs, mix.lock, rebar.config, a.cabal, cabal.project.local,
      stack.yaml, Setup.hs, dune, dune-project, a.opam, cpanfile, Makefile.PL, Build.PL, a.rockspec,
      pubspec.yaml, build.yaml, default.nix, a.el.in, .rubocop.yml, config.ru, .simplecov, .yardopts, steepfile,
      appraisals, .formatter.exs, .credo.exs, rector.php, renv.lock, config/deploy.rb, phpstan.neon.dist,
      psalm.xml, rebar.config.script, renv/activate.R
    `),
    notMatch: listed(`
      src/rake.rb, app/models/gem.rb, composer.ts, lib/mix.ex, dunes.md, rubocop.md, deploy.rb,
      config/routes.rb
    `),
  },
  {
    names: listed(`
      dockerfile*, *.dockerfile, containerfile*, docker-compose*, compose.yml, compose.yaml, compose.*.yml,
      compose.*.yaml, docker-bake.*, skaffold.yaml, helmfile.yaml, procfile, procfile.*, terragrunt.hcl,
      .terraform, pulumi.yaml, cdk.json, serverless.yml, samconfig.toml, ansible.cfg, dagger.json, netlify.toml,
      vercel.json, render.yaml, fly.toml, railway.*, wrangler.toml, wrangler.json*, .readthedocs.*,
      nixpacks.toml, heroku.yml, .kamal, config/deploy.yml, kustomization.yaml, kustomization.yml,
      devspace.yaml, okteto.yml, supervisord.conf, werf.yaml, apphosting.yaml, *.pkr.hcl
    `),
    except: listed("dockerfile.test.*s, dockerfile.spec.*s, containerfile.test.*s, procfile.test.*s"),
    why: "run_on_release",
    match: listed(`
      Dockerfile, Dockerfile.dev, a.dockerfile, Containerfile, docker-compose.yml, compose.yml, compose.yaml,
      compose.dev.yml, compose.dev.yaml, docker-bake.hcl, skaffold.yaml, helmfile.yaml, Procfile, Procfile.dev,
      terragrunt.hcl, .terraform/a, Pulumi.yaml, cdk.json, serverless.yml, samconfig.toml, ansible.cfg,
      dagger.json, netlify.toml, vercel.json, render.yaml, fly.toml, railway.toml, wrangler.toml,
      wrangler.jsonc, .readthedocs.yaml, nixpacks.toml, heroku.yml, .kamal/a, config/deploy.yml,
      kustomization.yaml, kustomization.yml, devspace.yaml, okteto.yml, supervisord.conf, werf.yaml,
      apphosting.yaml, a.pkr.hcl
    `),
    notMatch: listed(`
      .dockerignore, docs/docker.md, compose.ts, src/docker/a.ts, main.tf, render.tsx, kustomize.md,
      config/app.yml, src/Dockerfile.test.ts, procfile.test.js
    `),
  },
  {
    names: listed(`
      node_modules, bower_components, venv, .venv, site-packages, __pypackages__, .tox, .nox, .eggs, .gitmodules,
      .gitattributes, .lfsconfig
    `),
    why: "others_code",
    match: listed(`
      node_modules/a/index.js, bower_components/a, venv/bin/activate, .venv/bin/python, lib/site-packages/a.py,
      __pypackages__/a, .tox/a, .nox/a, .eggs/a, .gitmodules, .gitattributes, .lfsconfig
    `),
    notMatch: listed(".gitignore, src/modules/a.ts, venv.md, .gitkeep"),
  },
];
