import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeCatalog } from '../bench/fixtures/catalog.ts';
import { median } from '../bench/benchmark.ts';
import { measureSuccess } from '../bench/measure-command.ts';
import { plainEnvironment } from '../bench/program.ts';
import { cpuWithChildren } from '../bench/registry-process.ts';

/**
 * Compares the CPU time of syncs between two commits, in alternating runs:
 *
 *     node --conditions=@catalog/source tools/compare-sync.ts <base> [<commit>] [--pairs 30]
 *
 * Prints the median of each side, and the median and the quartiles of the ratios of all pairs. `watch`
 * starts `sync --watch` in an unchanged workspace and edits one skill several times.
 */
const SKILLS = 1000;
const EDITS = 5;
const POLL_MS = 20;
const WATCHED = 'watched-skill';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '30' } },
});
const [base, commit = 'HEAD'] = positionals;
if (base === undefined) throw new Error('compare-sync <base> [<commit>] [--pairs 30]');
const pairs = Number(values.pairs);
const folder = mkdtempSync(join(tmpdir(), 'catalog-compare-'));

try {
  const sides = [base, commit].map((revision, index) => openSide(revision, `${folder}/${index}`));
  for (const name of ['first sync', 'unchanged sync', 'replaced files', 'watch'] as const) {
    const cpu: number[][] = sides.map(() => []);
    // The first pair fills the compile caches and is not counted.
    for (let pair = 0; pair <= pairs; pair += 1) {
      for (const index of pair % 2 === 0 ? [0, 1] : [1, 0]) {
        const ms = (await sides[index]?.measure[name](pair)) ?? 0;
        if (pair > 0) cpu[index]?.push(ms);
      }
    }
    const [before = [], after = []] = cpu;
    const ratios = after.map((ms, index) => ms / (before[index] ?? ms)).toSorted((a, b) => a - b);
    const quartile = (part: number): string => format(ratios[Math.floor(ratios.length * part)]);
    process.stdout.write(
      `${name}: ${median(before).toFixed(0)} ms, then ${median(after).toFixed(0)} ms of CPU; ` +
        `ratio ${format(median(ratios))} (quartiles ${quartile(0.25)} to ${quartile(0.75)}, ${pairs} pairs)\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function format(ratio: number | undefined): string {
  return (ratio ?? 0).toFixed(2);
}

function openSide(revision: string, side: string) {
  const registries = ['one', 'two'].map((edition) => {
    const registry = `${side}/registry-${edition}`;
    writeCatalog(registry, { n: SKILLS, seed: 'compare', edition });
    return registry;
  });
  const target = `${side}/target`;
  const bin = pack(revision, side);
  const env = plainEnvironment(side);
  const argsOf = (registry = ''): string[] => {
    const where = ['--registry', registry, '--harness', 'claude-code', '--target', target];
    return [bin, 'sync', ...where];
  };
  const sync = (registry?: string): number =>
    measureSuccess([process.execPath, ...argsOf(registry)], { env, cwd: side }).cpu_ms;
  return {
    measure: {
      'first sync': () => {
        rmSync(target, { recursive: true, force: true });
        mkdirSync(target);
        return sync(registries[0]);
      },
      'unchanged sync': () => sync(registries[0]),
      'replaced files': (pair: number) => sync(registries[(pair + 1) % 2]),
      watch: async () => {
        const [registry = ''] = registries;
        const edit = (text: string): void => writeWatchedSkill(registry, text);
        edit('start');
        sync(registry);
        const delivered = `${target}/.claude/skills/${WATCHED}/SKILL.md`;
        return watchEdits([...argsOf(registry), '--watch'], { env, cwd: side }, edit, delivered);
      },
    },
  };
}

function writeWatchedSkill(registry: string, text: string): void {
  const folder = `${registry}/ops/${WATCHED}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/ARTIFACT.md`, '---\ntype: skill\nversion: 1.0.0\n---\n');
  const head = `---\nname: ${WATCHED}\ndescription: Changes while a sync watches.\n---\n`;
  writeFileSync(`${folder}/SKILL.md`, `${head}${text}\n`);
}

/** Returns the CPU time of a watching sync until it has delivered the last edit. */
async function watchEdits(
  args: readonly string[],
  options: { env: Record<string, string>; cwd: string },
  edit: (text: string) => void,
  delivered: string,
): Promise<number> {
  const watcher = spawn(process.execPath, args, {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { pid = 0 } = watcher;
  let messages = '';
  watcher.stderr.setEncoding('utf8').on('data', (text: string) => (messages += text));
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) {
      if (watcher.exitCode !== null) throw new Error(`the watcher ended:\n${messages}`);
      await delay(POLL_MS);
    }
  };
  try {
    await until(() => messages.includes('Watching '));
    for (let number = 1; number <= EDITS; number += 1) {
      edit(`edit ${number} of ${EDITS}`);
      await until(() => readFileSync(delivered, 'utf8').includes(`edit ${number} of`));
    }
    return cpuWithChildren(pid);
  } finally {
    const ended = once(watcher, 'close');
    watcher.kill();
    if (watcher.exitCode === null) await ended;
  }
}

function pack(revision: string, side: string): string {
  const file = `${side}/program.tgz`;
  const packer = join(import.meta.dirname, 'pack-commit.ts');
  const run = (command: string, ...words: string[]): void => {
    const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${stderr}`);
  };
  run(process.execPath, '--conditions=@catalog/source', packer, revision, file);
  run('tar', '-xzf', file, '-C', side);
  return `${side}/package/dist/bin.js`;
}
