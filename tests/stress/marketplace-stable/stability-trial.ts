import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { runSync } from '@catalog/consumer/sync/run-sync';
import { AREAS, writeCatalog } from '../../../bench/fixtures/catalog.ts';
import { hashTree, listFiles } from '../../../bench/tree.ts';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import { differences } from '../sync-kill/sync-trial.ts';

const ARTIFACTS = 80;

export interface StabilityTrial {
  files: number;
  /** Unexpected differences, and missing expected ones; there must be none. */
  complaints: string[];
}

/** Renders twice, from a copy with files and lists in another order, and after a change of one skill. */
export async function tryStability(
  folder: string,
  seed: string,
  trial: number,
): Promise<StabilityTrial> {
  const random = seededRandom(`marketplace ${seed} ${trial}`);
  const first = join(folder, 'first');
  writeCatalog(join(first, 'registry'), { n: ARTIFACTS, seed: `${seed} ${trial}` });
  const lists = shuffledLists(random);
  const before = await render(first, lists);
  rmSync(join(first, 'out'), { recursive: true });
  const again = await render(first, lists);
  const second = join(folder, 'second');
  copyShuffled(join(first, 'registry'), join(second, 'registry'), random);
  const reordered = await render(second, shuffledLists(random));
  cpSync(join(first, 'out'), join(first, 'before'), { recursive: true });
  const changed = changeSkill(join(first, 'registry'), random);
  const after = await render(first, lists);
  return {
    files: before.size,
    complaints: [
      ...differences(again, before).map((path) => `rendered twice: ${path}`),
      ...differences(reordered, before).map((path) => `from another order: ${path}`),
      ...misplacedChanges(first, differences(after, before), changed),
    ].map((complaint) => `catalogue ${trial}: ${complaint}`),
  };
}

interface Lists {
  formats: [string, string[]][];
  /** Areas of two plugins; the assignment never changes. */
  areas: [string[], string[]];
}

const TOGETHER = {
  'many-neutral': ['harness-a', 'harness-d', 'harness-f'],
  'many-brands': ['claude-code', 'cursor', 'codex', 'agent-plugins'],
} as const;
/** Formats that need a repository each. */
const OWN_REPOSITORY = ['harness-g', 'harness-h', 'harness-i', 'gemini-cli', 'pi', 'hermes'];

function shuffledLists(random: SeededRandom): Lists {
  const half = AREAS.length / 2;
  return {
    formats: Object.entries(TOGETHER).map(([id, formats]) => [id, random.shuffle(formats)]),
    areas: [random.shuffle(AREAS.slice(0, half)), random.shuffle(AREAS.slice(half))],
  };
}

/** Renders all targets and returns the files without local state. */
async function render(folder: string, lists: Lists): Promise<Map<string, string>> {
  mkdirSync(join(folder, '.catalog'), { recursive: true });
  writeFileSync(join(folder, '.catalog/sync.yaml'), configure(lists));
  const config = loadConfig({ cwd: folder, home: join(folder, 'home'), env: {}, flags: {} });
  const { targets } = await runSync(config, { mode: 'sync', marketplaces: { env: {} } });
  const failed = targets.find(({ error }) => error !== undefined);
  if (failed !== undefined) throw new Error(`${failed.target}: ${failed.error?.message}`);
  return hashTree(join(folder, 'out'), (path) => !path.includes('.catalog/state/'));
}

function configure({ formats, areas }: Lists): string {
  const include = (list: readonly string[]): string[] => list.map((area) => `${area}/**`);
  const plugins = areas.map((list, index) => ({ name: `part-${index}`, include: include(list) }));
  const targets = [
    ...formats.map(([id, harness]) => ({ id, harness, plugins })),
    ...OWN_REPOSITORY.map((harness) => ({
      id: harness,
      harness,
      plugins: [{ name: 'all', include: include(areas.flat()) }],
    })),
  ];
  return JSON.stringify({
    defaults: { registry: './registry' },
    targets: targets.map((target) => ({
      ...target,
      kind: 'marketplace',
      target: `./out/${target.id}`,
    })),
  });
}

/** Copies files in random order, because a folder may list them in the order of creation. */
function copyShuffled(from: string, to: string, random: SeededRandom): void {
  for (const path of random.shuffle(listFiles(from))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(from, path), join(to, path));
  }
}

interface ChangedSkill {
  name: string;
  plugin: string;
}

function changeSkill(registry: string, random: SeededRandom): ChangedSkill {
  const path = random.pick(
    listFiles(registry)
      .filter((file) => file.endsWith('/SKILL.md'))
      .sort(),
  );
  const file = join(registry, path);
  const raise = random.int(2) === 0;
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text}\nOne sentence more.\n`);
  const manifest = join(dirname(file), 'ARTIFACT.md');
  if (raise && listFiles(dirname(file)).includes('ARTIFACT.md')) {
    const version = readFileSync(manifest, 'utf8').replace(/^version: .*$/m, 'version: 7.0.0');
    writeFileSync(manifest, version);
  }
  const [area = ''] = path.split('/');
  const plugin = AREAS.indexOf(area) < AREAS.length / 2 ? 'part-0' : 'part-1';
  return { name: basename(dirname(file)), plugin };
}

/** Documents in which only the line about a plugin or its version must change. */
const DOCUMENT = /(?:marketplace|plugin|package|-extension)\.json$/;
/** Lists of plugins whose format does not contain versions. */
const WITHOUT_VERSION = /^many-\w+\/\.(?:harness-d|cursor)-plugin\//;

/**
 * Returns unexpected and missing changes. Expected are changes of the skill, of the version of its
 * plugin, and of its line in the catalog of the marketplace.
 */
function misplacedChanges(
  folder: string,
  changed: readonly string[],
  { name, plugin }: ChangedSkill,
): string[] {
  const complaints: string[] = [];
  const expected = new Set(
    listFiles(join(folder, 'out')).filter((path) => {
      if (path.includes('/.catalog/')) return false;
      if (path.endsWith(`/skills/${name}/SKILL.md`)) return true;
      const isOurs = !path.startsWith('many-') || isAbout(path, plugin);
      return isOurs && DOCUMENT.test(path) && !WITHOUT_VERSION.test(path);
    }),
  );
  for (const path of changed) {
    if (path.endsWith('.catalog/sync.lock')) continue;
    if (!expected.delete(path)) complaints.push(`one skill changed, and so did ${path}`);
    else if (DOCUMENT.test(path) && changedLines(folder, path) !== 1) {
      complaints.push(`${path} changed in ${changedLines(folder, path)} lines`);
    }
  }
  for (const path of expected) complaints.push(`one skill changed, and ${path} did not`);
  return complaints;
}

function isAbout(path: string, plugin: string): boolean {
  const [, top = '', folder] = path.split('/');
  return top.startsWith('.') || folder === plugin;
}

function changedLines(folder: string, path: string): number {
  const [old, now] = ['before', 'out'].map((tree) =>
    readFileSync(join(folder, tree, path), 'utf8').split('\n'),
  );
  if (old === undefined || now === undefined || old.length !== now.length) return Infinity;
  return now.filter((line, index) => line !== old[index]).length;
}
