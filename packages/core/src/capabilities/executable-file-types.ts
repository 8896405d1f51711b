export interface ExecutableFileGroup {
  title: string;
  reason: string;
  /** File names in lowercase; `*` matches any characters. Markdown files never match. */
  names?: readonly string[];
  extensions?: readonly string[];
  /** Extensions of directories that the operating system treats as a file. */
  bundles?: readonly string[];
  /** Names of directories whose files are executable content, at any depth. */
  directories?: readonly string[];
}

function words(...lines: string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}

/**
 * File names that mean executable content, from the documentation of the tools. Documents that only a user opens, such
 * as HTML, are not listed.
 */
export const EXECUTABLE_FILE_GROUPS: readonly ExecutableFileGroup[] = [
  {
    title: 'Directories of scripts',
    reason: 'Agents, git and package managers run the files in them.',
    directories: words('scripts bin sbin hooks .git .githooks .husky .hg .svn .jj'),
  },
  {
    title: 'Shells',
    reason: 'A shell runs the file, or reads it at every start.',
    names: words(
      '.profile .login .logout .bashrc .bashrc.* .bash_* .zshrc .zshrc.* .zshenv .zprofile .zlogin',
      '.zlogout .kshrc .mkshrc .cshrc .tcshrc .inputrc .xinitrc .xsession .xsessionrc .xprofile',
      '.pam_environment .env .env.local .envrc .envrc.* .screenrc .tmux.conf tmux.conf .xonshrc',
    ),
    extensions: words('sh bash dash ash zsh fish ksh mksh csh tcsh nu elv xsh bats command tool'),
    directories: words('.bashrc.d .zshrc.d profile.d'),
  },
  {
    title: 'Windows programs and scripts',
    reason: 'Windows starts the file, or a script host, when it is opened.',
    names: words('desktop.ini autorun.inf autounattend.xml unattend.xml'),
    extensions: words(
      'exe com scr pif cpl bat cmd ps1 psm1 psd1 ps1xml psc1 pssc psrc cdxml vb vbs vbe vba js jse ws',
      'wsf wsc wsh sct hta lnk url website reg inf msc job scf shb shs gadget application appref-ms xbap',
      'settingcontent-ms library-ms search-ms searchconnector-ms diagcab diagcfg diagpkg theme',
      'themepack chm hlp rdp sys drv ocx dll ahk au3 a3x bas msh msh1 msh2 mshxml msh1xml msh2xml',
    ),
  },
  {
    title: 'Office documents with macros',
    reason: 'An office program runs the macros or queries in the file.',
    extensions: words(
      'docm dotm xlsm xltm xlam xla xll xlsb pptm potm ppam ppsm sldm slk iqy mdb mde accdb accde accda accdr ade',
      'adp mad maf mag mam maq mar mas mat mau mav maw mda mdn mdt mdw mdz',
    ),
  },
  {
    title: 'macOS programs and scripts',
    reason: 'macOS starts the file or bundle when it is opened, or launchd does.',
    extensions: words(
      'app applescript scpt scptd jxa workflow wflow action shortcut terminal plist mobileconfig webloc',
      'fileloc inetloc prefpane kext bundle qlgenerator mdimporter osax saver appex xpc dylib',
    ),
    bundles: words(
      'app scptd workflow action prefpane kext bundle framework plugin qlgenerator mdimporter osax saver',
      'appex xpc pkg mpkg',
    ),
    directories: words('launchagents launchdaemons startupitems'),
  },
  {
    title: 'Linux programs and services',
    reason: 'The desktop, systemd, cron, udev or init starts what the file names.',
    names: words(
      'crontab .crontab anacrontab inittab rc.local sudoers ld.so.preload supervisord.conf monitrc',
      'mailcap .mailcap .forward .procmailrc .yabairc .skhdrc .xbindkeysrc',
    ),
    extensions: words(
      'desktop run service timer path socket target mount automount swap slice rules cron thumbnailer',
      'nemo_action so ko',
    ),
    directories: words(
      'init.d rc.d cron.d cron.hourly cron.daily cron.weekly cron.monthly autostart systemd sudoers.d',
      'pam.d',
    ),
  },
  {
    title: 'Installers and images',
    reason: 'Installing the package runs its scripts; mounting the image offers its programs.',
    extensions: words(
      'msi msp mst msix msixbundle appx appxbundle appinstaller cab deb rpm apk snap appimage flatpak',
      'flatpakref flatpakrepo pkg mpkg dmg xip iso img vhd vhdx wim ipa aab',
    ),
  },
  {
    title: 'Archives',
    reason: 'An archive can contain any other file of this list.',
    extensions: words('zip tar gz tgz bz2 tbz2 xz txz zst 7z rar cpio'),
  },
  {
    title: 'Extensions and language packages',
    reason: 'Installing or loading the package runs its code.',
    extensions: words(
      'mcpb dxt vsix xpi crx jpi hpi whl egg pyz gem crate nupkg snupkg conda phar jar war ear jmod jnlp',
    ),
  },
  {
    title: 'Programs and their sources',
    reason: 'An interpreter runs the file, or a compiler builds a program from it.',
    names: ['configure'],
    extensions: words(
      'py pyw pyc pyo pyd pyx rb pl pm pl6 pm6 raku php phtml lua luau tcl exp awk sed r jl mjs cjs jsx ts',
      'mts cts tsx vue svelte astro coffee wasm wat node class java kt kts groovy scala sc clj cljs cljc',
      'go rs swift c h cc cpp cxx hpp m mm cs csx fs fsx fsi vbx zig nim d v ml mli erl hrl ex exs hs lhs',
      'cr dart pas adb lisp lsp cl scm ss rkt el elc vim cgi fcgi asp aspx jsp jspx cfm robot jmx ipynb',
      'rmd qmd nb wls mlx sas do ado gp plt s asm',
    ),
  },
  {
    title: 'Startup files of interpreters and tools',
    reason: 'The program runs the commands in the file when it starts.',
    names: words(
      '.pythonrc .pythonstartup .pdbrc .irbrc .pryrc .rdbgrc .rprofile rprofile.site .renviron .juliarc',
      '.ghci .sqliterc .psqlrc .mysqlrc .my.cnf my.cnf .octaverc .gnuplot .perldb .guile .gdbinit',
      '.gdbearlyinit .lldbinit .lldbinit-* .latexmkrc latexmkrc .ackrc .ripgreprc .lessfilter .lesskey',
      '.curlrc .wgetrc .netrc .muttrc starship.toml .aerospace.toml',
    ),
    extensions: words('pth gdb'),
  },
  {
    title: 'Data that runs code when it is loaded',
    reason: 'The format can contain code that the loader runs, such as a Python pickle.',
    extensions: words('pkl pickle dill joblib pt ckpt keras rdata rda'),
  },
  {
    title: 'Editors and IDEs',
    reason: 'The editor runs tasks, macros or plugins that the file names.',
    names: words(
      '.vimrc .gvimrc .nvimrc .exrc .ideavimrc _vimrc .emacs .spacemacs .nanorc',
      '*.run.xml workspace.xml',
    ),
    extensions: words(
      'code-workspace code-profile sublime-project sublime-workspace sublime-build sublime-settings',
      'sublime-commands iml ipr xcscheme xcconfig pbxproj xcworkspacedata suo',
    ),
    directories: words('.idea .run .vim .emacs.d'),
  },
  {
    title: 'Version control and its hooks',
    reason: 'git runs filters, hooks and commands that the file names.',
    names: words(
      '.gitattributes .gitmodules .gitconfig gitconfig .lfsconfig .hgrc hgrc .pre-commit-config.yaml',
      '.pre-commit-config.yml .pre-commit-hooks.yaml prek.toml lefthook.* .lefthook.* lefthook-local.*',
      'simple-git-hooks.json .simple-git-hooks.json captainhook.json grumphp.yml grumphp.yaml',
      '.overcommit.yml .lintstagedrc .lintstagedrc.* .huskyrc .huskyrc.* .commitlintrc .commitlintrc.*',
    ),
  },
  {
    title: 'Credentials and connections',
    reason: 'The client runs the helper or proxy command that the file names.',
    names: words('config credentials kubeconfig ssh_config sshd_config authorized_keys'),
    directories: words('.ssh .aws .kube .gnupg'),
  },
  {
    title: 'Build tools',
    reason: 'Building runs the commands in the file.',
    names: words(
      'makefile makefile.* gnumakefile bsdmakefile kbuild cmakelists.txt cmakepresets.json',
      'cmakeuserpresets.json meson.build meson_options.txt meson.options sconstruct sconscript wscript',
      'jamfile jamroot build build.bazel workspace workspace.bazel workspace.bzlmod module.bazel .bazelrc',
      '.bazeliskrc buck .buckconfig pants.toml tupfile rakefile rakefile.* justfile .justfile taskfile',
      'taskfile.* earthfile tiltfile snakefile nextflow.config cakefile gruntfile gulpfile build.xml ivy.xml',
      'pom.xml gradle.properties gradlew mvnw maven.config jvm.config extensions.xml rebar.config dune',
      'dune-project deps.edn project.clj configure.ac configure.in autogen pkgbuild apkbuild turbo.json',
      'nx.json lerna.json angular.json nodemon.json .fvmrc binding.gyp .air.toml mkdocs.yml mkdocs.yaml',
    ),
    extensions: words(
      'mk mak make cmake ninja gn gni gyp gypi bzl bazel star sbt gradle just m4 nix proj csproj fsproj vbproj vcxproj',
      'sqlproj props targets pro pri qbs cabal podspec gemspec rockspec nimble opam ebuild spec nuspec nsi',
      'iss wxs',
    ),
    directories: ['.mvn'],
  },
  {
    title: 'Package managers',
    reason: 'Installing runs scripts of the package or of packages that the file names.',
    names: words(
      '.npmrc .yarnrc .yarnrc.yml .pnpmfile.* pnpm-workspace.yaml bunfig.toml deno.json',
      'deno.jsonc bower.json .bowerrc composer.json .releaserc .releaserc.* rust-toolchain',
      'rust-toolchain.toml gemfile gemfile.* .gemrc gems.locked pipfile',
      'requirements*.txt requirements*.in constraints*.txt pyproject.toml setup.cfg tox.ini pip.conf pip.ini',
      '.pypirc .pydistutils.cfg uv.toml pdm.toml poetry.toml hatch.toml environment.yml environment.yaml',
      '.condarc condarc meta.yaml cargo.toml stack.yaml shard.yml pubspec.yaml vcpkg.json conanfile.txt',
      'nuget.config packages.config brewfile brewfile.* podfile cartfile berksfile puppetfile fastfile',
      'appfile matchfile gymfile dangerfile guardfile capfile thorfile steepfile procfile procfile.*',
      'snapcraft.yaml devbox.json mise.toml .mise.toml mise.*.toml aqua.yaml',
    ),
    directories: words('.cargo .bundle'),
  },
  {
    title: 'Linters, test runners and bundlers',
    reason: 'The tool loads plugins or runs commands that the file names.',
    names: words(
      '.eslintrc .eslintrc.* .prettierrc .prettierrc.* .babelrc .babelrc.* babel.config.* .stylelintrc',
      '.stylelintrc.* .mocharc .mocharc.* .nycrc .nycrc.* .swcrc .postcssrc .postcssrc.* jest.config.*',
      '.markdownlint-cli2.* pytest.ini .coveragerc .pylintrc pylintrc mypy.ini .mypy.ini .flake8 .rubocop.yml',
      '.rspec phpunit.xml phpunit.xml.dist .phpcs.xml phpcs.xml phpstan.neon phpstan.neon.dist .swiftlint.yml',
    ),
  },
  {
    title: 'Containers and infrastructure',
    reason: 'Building, starting or applying the file runs commands.',
    names: words(
      'dockerfile dockerfile.* containerfile containerfile.* docker-compose*.yml docker-compose*.yaml',
      'compose.yml compose.yaml compose.*.yml compose.*.yaml docker-bake.* vagrantfile vagrantfile.*',
      'devcontainer-feature.json .devcontainer.json .gitpod.yml .gitpod.yaml',
      '.gitpod.dockerfile .replit skaffold.yaml skaffold.yml helmfile.* chart.yaml',
      'kustomization.yaml kustomization.yml pulumi.yaml serverless.yml serverless.yaml netlify.toml vercel.json',
      'wrangler.toml fly.toml ansible.cfg playbook*.yml playbook*.yaml site.yml',
      'site.yaml cloud-init cloud-init.* cloud-config.* user-data preseed.cfg',
    ),
    extensions: words('dockerfile containerfile tf tfvars hcl nomad pp sls ks'),
  },
  {
    title: 'Continuous integration',
    reason: 'The CI service runs the commands in the file.',
    names: words(
      '.gitlab-ci.* .travis.yml azure-pipelines.* bitbucket-pipelines.yml',
      'jenkinsfile jenkinsfile.* .drone.* .woodpecker.* appveyor.yml .appveyor.yml',
      'cloudbuild.* buildspec.* .cirrus.* codefresh.yml wercker.yml',
      '.build.yml action.yml action.yaml .goreleaser.yml .goreleaser.yaml goreleaser.* .readthedocs.yml',
      '.readthedocs.yaml',
    ),
  },
];
