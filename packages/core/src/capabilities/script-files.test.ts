import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import { executableCapabilities } from './executable-capabilities.ts';
import { EXECUTABLE_FILE_GROUPS } from './executable-file-types.ts';
import { isScriptPath } from './script-files.ts';

const RUN_BY: Readonly<Record<string, string>> = {
  make: 'Makefile GNUmakefile BSDmakefile makefile.am Makefile.in rules.mk build.mak',
  CMake: 'CMakeLists.txt CMakePresets.json FindZ.cmake',
  Meson: 'meson.build meson_options.txt meson.options',
  Autotools: 'configure configure.ac aclocal.m4',
  Bazel: 'BUILD BUILD.bazel WORKSPACE MODULE.bazel defs.bzl .bazelrc',
  'SCons, waf, Ninja, Tup': 'SConstruct SConscript wscript build.ninja Tupfile',
  'just, Task, Earthly, Tilt':
    'justfile .justfile Taskfile.yml Taskfile.dist.yaml Earthfile Tiltfile',
  'JVM builds':
    'pom.xml build.gradle settings.gradle.kts build.sbt build.xml project.clj gradlew mvnw',
  MSBuild: 'app.csproj Directory.Build.props Directory.Build.targets app.vcxproj',
  Ruby: 'Gemfile Gemfile.lock Rakefile x.gemspec .irbrc .pryrc .rspec Guardfile Capfile Dangerfile',
  npm: '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml deno.json deno.jsonc',
  Python:
    'setup.py setup.cfg pyproject.toml tox.ini noxfile.py conftest.py sitecustomize.py .pythonrc',
  pip: 'requirements.txt requirements-dev.txt Pipfile pip.conf x.whl x.egg evil.pth environment.yml',
  Rust: 'Cargo.toml build.rs .cargo/config .cargo/config.toml',
  'PHP, Swift, Haskell, Dart':
    'composer.json Podfile Package.swift stack.yaml x.cabal pubspec.yaml',
  Nix: 'flake.nix default.nix shell.nix',
  shells:
    '.profile .bashrc .bash_profile .bash_aliases .zshrc .zshenv .zprofile .cshrc .kshrc .inputrc',
  direnv: '.envrc .env',
  'node-gyp and live reload': 'binding.gyp common.gypi .air.toml mkdocs.yml .releaserc.json',
  'git hooks by configuration': 'simple-git-hooks.json captainhook.json grumphp.yml',
  'cloud workspaces': '.devcontainer.json .gitpod.yml .replit',
  toolchains: 'rust-toolchain.toml rust-toolchain .xonshrc x.sublime-commands',
  Homebrew: 'Brewfile',
  'debuggers and editors': '.gdbinit .lldbinit .vimrc .exrc .emacs .emacs.d/init.el .dir-locals.el',
  IDEs: 'x.code-workspace .idea/runConfigurations/x.xml .run/a.run.xml .vscode/tasks.json',
  git: '.gitattributes .gitmodules .gitconfig .git/config .git/hooks/x .githooks/x .husky/pre-commit',
  'git hooks': '.pre-commit-config.yaml lefthook.yml .lintstagedrc.json .overcommit.yml',
  Docker: 'Dockerfile Dockerfile.prod app.dockerfile Containerfile docker-compose.yml compose.yaml',
  'Compose overrides':
    'docker-compose.override.yaml compose.dev.yml docker-compose-ci.yml docker-bake.hcl',
  'virtual machines': 'Vagrantfile cloud-init.yml user-data preseed.cfg x.ks',
  infrastructure:
    'main.tf x.tfvars terragrunt.hcl ansible.cfg playbook.yml site.yml Chart.yaml x.sls',
  CI: 'Jenkinsfile Jenkinsfile.release .gitlab-ci.yml .travis.yml azure-pipelines.yml action.yml',
  'more CI':
    '.github/workflows/ci.yml .circleci/config.yml .drone.yml bitbucket-pipelines.yml buildspec.yml',
  systemd: 'x.service x.timer x.path x.socket x.mount',
  Linux: 'x.desktop x.run x.AppImage x.deb x.rpm x.snap x.flatpakref 99-x.rules crontab rc.local',
  'Linux directories': 'etc/cron.d/x etc/init.d/x etc/profile.d/x .config/autostart/x',
  macOS: 'x.command x.workflow x.scpt x.applescript x.pkg x.dmg x.plist x.terminal x.mobileconfig',
  'macOS bundles': 'X.app/Contents/Info X.workflow/Contents/document LaunchAgents/x',
  Windows: 'x.exe x.com x.scr x.pif x.cpl x.bat x.cmd x.lnk x.url x.reg x.inf x.msi x.msix x.hta',
  'Windows Script Host': 'x.vbs x.vbe x.js x.jse x.ws x.wsf x.wsc x.wsh x.sct',
  PowerShell: 'x.ps1 x.psm1 x.psd1 x.ps1xml x.pssc x.cdxml',
  'more Windows':
    'x.chm x.scf x.settingcontent-ms x.application x.appref-ms x.jnlp x.gadget desktop.ini',
  Office: 'x.docm x.xlsm x.xlam x.xll x.pptm x.mdb x.slk x.iqy x.bas x.maf x.mam x.accda',
  Java: 'x.jar x.war x.class',
  notebooks: 'x.ipynb x.Rmd x.qmd',
  'loaded data': 'model.pkl model.pt model.joblib data.RData',
  credentials: '.ssh/config .ssh/authorized_keys .aws/config .kube/config .netrc',
  'linters and test runners':
    '.eslintrc .eslintrc.json .prettierrc .babelrc pytest.ini .pylintrc jest.config.json',
  archives: 'x.zip x.tar.gz x.tgz x.7z',
  extensions: 'x.vsix x.xpi x.crx x.mcpb x.dxt x.gem x.nupkg',
};

const PLAIN = artifactOf('ops/check', {
  'SKILL.md': '---\nname: check\ndescription: Checks.\n---\nCheck.\n',
});

function kindsOf(path: string): string[] {
  const bytes = new TextEncoder().encode('content');
  const artifact = { ...PLAIN, resources: [{ path, bytes, executable: false }] };
  return executableCapabilities(artifact).map(({ kind }) => kind);
}

describe('executableCapabilities for bundled files', () => {
  test.each(Object.entries(RUN_BY))('lists files that %s runs, in any case', (_tool, files) => {
    for (const name of files.split(' ')) {
      for (const path of [name, `deep/${name}`, name.toUpperCase(), name.toLowerCase()]) {
        expect([path, kindsOf(path)]).toEqual([
          path,
          expect.arrayContaining([expect.stringMatching(/^(?:script|configuration_file)$/)]),
        ]);
      }
    }
  });

  test.each(
    [
      'README.md notes.txt data.csv data.json table.xlsx page.html logo.svg photo.png paper.pdf query.sql',
      'LICENSE Dockerfile.md requirements.md docs/node.js/guide.md references/build.md config.md x.yaml',
    ].flatMap((line) => line.split(' ')),
  )('ignores %s', (path) => {
    expect(kindsOf(path)).toEqual([]);
  });
});

describe('EXECUTABLE_FILE_GROUPS', () => {
  test.each(EXECUTABLE_FILE_GROUPS.map((group) => [group.title, group] as const))(
    'contains only entries that isScriptPath accepts: %s',
    (_title, { reason, names = [], extensions = [], bundles = [], directories = [] }) => {
      expect(reason).toMatch(/^\w.*\.$/);
      const paths = [
        ...names.map((name) => name.replaceAll('*', 'x')),
        ...extensions.map((extension) => `x.${extension}`),
        ...bundles.map((extension) => `x.${extension}/file`),
        ...directories.map((directory) => `${directory}/file`),
      ];
      expect(paths).not.toEqual([]);
      for (const path of paths) expect([path, isScriptPath(path)]).toEqual([path, true]);
    },
  );

  test('is lowercase and has no duplicates', () => {
    for (const list of ['names', 'extensions', 'bundles', 'directories'] as const) {
      const all = EXECUTABLE_FILE_GROUPS.flatMap((group) => group[list] ?? []);
      expect(all.map((entry) => entry.toLowerCase())).toEqual(all);
      expect(all.filter((entry, index) => all.indexOf(entry) !== index)).toEqual([]);
      expect(all.filter((entry) => entry === '' || /[\s()[\]+?^$|\\]/.test(entry))).toEqual([]);
    }
  });
});
