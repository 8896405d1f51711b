import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Packs the program of an older commit, for tests that run it alongside the current one:
 *     node --conditions=@catalog/source tools/pack-commit.ts <commit> <file>
 * Uses the dependencies that are installed now.
 */
const ROOT = join(import.meta.dirname, '..');
const [commit, file] = process.argv.slice(2);
if (commit === undefined || file === undefined) throw new Error('pack-commit <commit> <file>');

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const tree = mkdtempSync(join(ROOT, '.cache/commit-'));
try {
  const archive = execute('git', ['archive', commit], ROOT);
  execute('tar', ['-x'], tree, archive);
  linkModules(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  for (const name of readdirSync(join(tree, 'packages'))) {
    const nested = join(ROOT, 'packages', name, 'node_modules');
    if (existsSync(nested)) symlinkSync(nested, join(tree, 'packages', name, 'node_modules'));
  }
  execute(process.execPath, ['--conditions=@catalog/source', 'tools/build.ts'], tree);
  execute('npm', ['pack', '--silent', '--pack-destination', tree], join(tree, 'packages/cli'));
  const tarball = readdirSync(tree).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack made no tarball');
  mkdirSync(dirname(resolve(file)), { recursive: true });
  cpSync(join(tree, tarball), resolve(file));
} finally {
  rmSync(tree, { recursive: true, force: true });
}

/** Workspace packages come from the commit. */
function linkModules(from: string, to: string): void {
  mkdirSync(join(to, '@catalog'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== '@catalog') symlinkSync(join(from, name), join(to, name));
  }
  for (const name of readdirSync(join(tree, 'packages'))) {
    symlinkSync(join(tree, 'packages', name), join(to, '@catalog', name));
  }
}

function execute(command: string, args: readonly string[], cwd: string, input?: Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    input,
    maxBuffer: 1024 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  const reason = error?.message ?? `exit ${String(status)}`;
  throw new Error(`${command} ${args.join(' ')}: ${reason}\n${String(stderr)}`);
}
