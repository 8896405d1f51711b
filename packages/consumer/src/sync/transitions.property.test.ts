import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { adapters } from '@catalog/harness/registry';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/types.ts';
import { loadLock } from '../lock/read-lock.ts';
import { removeAll } from './remove.ts';
import type { SyncReport } from './report.ts';
import { runSync } from './run-sync.ts';
import type * as WriteFile from './write-file.ts';

const write_limit = vi.hoisted(() => ({ left: Infinity }));

vi.mock('./write-file.ts', async (original) => {
  const real = await original<typeof WriteFile>();
  function countWrite(): void {
    write_limit.left -= 1;
    if (write_limit.left < 0) throw new Error('cut short');
  }
  const writeNew: typeof real.writeNew = (...words) => {
    countWrite();
    real.writeNew(...words);
  };
  const openReplacer: typeof real.openReplacer = (folder, run) => {
    const replacer = real.openReplacer(folder, run);
    return {
      replace: (...words) => {
        countWrite();
        replacer.replace(...words);
      },
    };
  };
  return { ...real, writeNew, openReplacer };
});

function manifest(type: string, edition: number, more = ''): string {
  return `---\ntype: ${type}\nversion: 1.0.${edition}\ndescription: Edition ${edition} of something of use.\n${more}---\n`;
}

function skill(edition: number): FileTree {
  const script = edition === 1 ? 'scripts/run' : 'scripts/run/all.sh';
  return {
    'ARTIFACT.md': manifest('skill', edition),
    'SKILL.md': `---\nname: check\ndescription: Checks what is to be checked.\n---\n${edition}\n`,
    [script]: `echo ${edition}\n`,
  };
}

const ARTIFACTS: Readonly<Record<string, (edition: number) => FileTree>> = {
  'ops/check': skill,
  'dev/check': skill,
  'ops/helper': (edition) => ({ 'ARTIFACT.md': manifest('agent', edition) }),
  'ops/law': (edition) => ({ 'ARTIFACT.md': `${manifest('rule', edition)}Law ${edition}.\n` }),
  'ops/end': (edition) => ({
    'ARTIFACT.md': manifest('hook', edition, 'hook_event: stop\nhook_action: sh scripts/log.sh\n'),
    'scripts/log.sh': `echo ${edition}\n`,
  }),
  'ops/wh': (edition) => ({
    'ARTIFACT.md': manifest('mcp-server', edition, `server_identifier: npx:wh-${edition}\n`),
  }),
};
const IDS = Object.keys(ARTIFACTS);
const HARNESSES = ['claude-code', 'cursor', 'codex', 'opencode', 'agents-md', 'harness-a', 'goose'];

const harness = fc.constantFrom(...HARNESSES);
/** Harnesses of `--harness`; undefined for the configured targets. */
const flags = fc.option(fc.uniqueArray(harness, { minLength: 1, maxLength: 3 }), {
  nil: undefined,
});
const turns = fc.oneof(
  fc.record({
    kind: fc.constant('registry' as const),
    // 0 means that the artifact is missing.
    editions: fc.array(fc.nat({ max: 2 }), { minLength: IDS.length, maxLength: IDS.length }),
  }),
  fc.record({
    kind: fc.constant('targets' as const),
    list: fc.array(fc.tuple(harness, fc.constantFrom('**', 'ops/**')), { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('edit' as const), position: fc.nat({ max: 50 }) }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sync' as const), flags }) },
  fc.record({ kind: fc.constant('cut' as const), flags, after: fc.nat({ max: 20 }) }),
);

interface Workspace {
  root: string;
  work: string;
  mine: Map<string, string>;
}

const MINE = { 'AGENTS.md': '# Mine\n\nText.\n', '.claude/mine.md': 'Mine.\n' };

function createWorkspace(): Workspace {
  const root = temporaryFolder();
  const work = `${root}/work`;
  mkdirSync(`${root}/registry`);
  writeTree(work, MINE);
  list({ root, work, mine: new Map() }, []);
  return { root, work, mine: new Map(Object.entries(MINE)) };
}

function list({ work }: Workspace, targets: [string, string][]): void {
  const defaults = { unsupported: 'skip', on_clash: 'qualify' };
  const listed = targets.map(([name, include], position) => ({
    id: `t${position}`,
    harness: name,
    include: [include],
  }));
  const content = listed.length === 0 ? { defaults } : { defaults, targets: listed };
  writeTree(work, { '.catalog/sync.yaml': JSON.stringify(content) });
}

function configOf({ root, work }: Workspace, names: string[] | undefined): Config {
  const input = {
    cwd: work,
    home: `${root}/home`,
    env: { CATALOG_REGISTRY: `${root}/registry` },
  };
  const config = loadConfig({ ...input, flags: {} });
  if (names === undefined && config.configured_targets.length > 0) return config;
  const given = { harness: (names ?? ['codex']).join(',') };
  return loadConfig({ ...input, flags: given });
}

function author({ root }: Workspace, editions: readonly number[]): void {
  for (const [position, id] of IDS.entries()) {
    const edition = editions[position] ?? 0;
    rmSync(`${root}/registry/${id}`, { recursive: true, force: true });
    if (edition > 0) writeTree(`${root}/registry/${id}`, ARTIFACTS[id]?.(edition) ?? {});
  }
}

function edit({ work }: Workspace, position: number): void {
  const paths = [...new Set(loadLock(work).files.map(({ path }) => `${work}/${path}`))];
  const path = paths[position % Math.max(1, paths.length)];
  if (path !== undefined && existsSync(path)) appendFileSync(path, 'Edited.\n');
}

function takeOver({ work, mine }: Workspace, { targets }: SyncReport): void {
  for (const { path, kept_at } of targets.flatMap(({ kept }) => kept)) {
    if (path === kept_at) mine.set(path, readFileSync(`${work}/${path}`, 'latin1'));
  }
}

async function refusalOf(run: Promise<unknown>): Promise<string | undefined> {
  try {
    await run;
    return undefined;
  } catch (error) {
    if (error instanceof CatalogError) return error.message;
    throw error;
  }
}

function effectsOf({ targets }: SyncReport): unknown {
  return targets.map(({ target, changes, unchanged, moved }) => [
    target,
    changes,
    unchanged,
    moved,
  ]);
}

/** Checks that a dry run predicts the sync, that a second sync changes nothing, and that every file has an owner. */
async function syncAndVerify(place: Workspace, names: string[] | undefined): Promise<void> {
  const { work, mine } = place;
  const config = configOf(place, names);
  const run = (mode: 'sync' | 'dry-run'): Promise<SyncReport> => runSync(config, { mode });
  const before = readTree(work, ['.catalog/state']);
  const refusal = await refusalOf(run('dry-run'));
  if (refusal !== undefined) {
    expect(await refusalOf(run('sync'))).toBe(refusal);
    expect(readTree(work, ['.catalog/state'])).toEqual(before);
    return;
  }
  const predicted = effectsOf(await run('dry-run'));
  const report = await run('sync');
  expect(effectsOf(report)).toEqual(predicted);
  takeOver(place, report);

  const after = readTree(work, ['.catalog/state']);
  const again = await run('sync');
  expect(again.targets.flatMap(({ changes }) => changes)).toEqual([]);
  rmSync(`${work}/.catalog/state/index`);
  expect(effectsOf(await run('sync'))).toEqual(effectsOf(again));
  expect(readTree(work, ['.catalog/state'])).toEqual(after);

  const { files, entries } = loadLock(work);
  const owned = new Set([...files, ...entries].map(({ path }) => path));
  const skip = ['.catalog/state', '.catalog/kept', '.catalog/sync.lock', '.catalog/sync.yaml'];
  const orphans = Object.keys(readTree(work, skip)).filter((path) => !owned.has(path));
  expect(orphans.filter((path) => !mine.has(path))).toEqual([]);
  expectSkillsOnce(again, files);
}

function expectSkillsOnce(
  report: SyncReport,
  files: readonly { path: string; id: string }[],
): void {
  for (const { harness: name, artifacts, fallbacks } of report.targets) {
    const folders = adapters.get(name)?.skill_folders ?? [];
    const fallback_ids = new Set(fallbacks.map(({ artifact_id }) => artifact_id));
    for (const { id } of artifacts.filter(({ type }) => type === 'skill')) {
      const seen = files.filter(
        ({ path, id: owner }) =>
          owner === id &&
          path.endsWith('/SKILL.md') &&
          folders.includes(path.split('/').slice(0, -2).join('/')),
      );
      if (!fallback_ids.has(id))
        expect([name, id, new Set(seen.map(({ path }) => path)).size]).toEqual([name, id, 1]);
    }
  }
}

test('any sequence of changes, syncs and interruptions has the same result as one sync', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turns, { minLength: 4, maxLength: 10 }), async (sequence) => {
      const place = createWorkspace();
      for (const turn of sequence) {
        if (turn.kind === 'registry') author(place, turn.editions);
        else if (turn.kind === 'targets') list(place, turn.list);
        else if (turn.kind === 'edit') edit(place, turn.position);
        else if (turn.kind === 'sync') await syncAndVerify(place, turn.flags);
        else await interruptSync(place, turn.flags, turn.after);
      }
      takeOver(place, await removeAll(configOf(place, undefined), { dry_run: false }));
      const left = readTree(place.work, ['.catalog/kept', '.catalog/state', '.catalog/sync.yaml']);
      expect(left).toEqual(
        Object.fromEntries([...place.mine].sort(([a], [b]) => (a < b ? -1 : 1))),
      );
    }),
    { numRuns: 12 },
  );
});

async function interruptSync(
  place: Workspace,
  names: string[] | undefined,
  after: number,
): Promise<void> {
  const { work, mine } = place;
  const before = loadLock(work).files;
  write_limit.left = after;
  try {
    takeOver(place, await runSync(configOf(place, names), { mode: 'sync' }));
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (!(error instanceof CatalogError) && message !== 'cut short') throw error;
  } finally {
    write_limit.left = Infinity;
  }
  // After an interruption, the report may be lost that an edited file now belongs to the user.
  const rows = new Set(loadLock(work).files.map(({ path }) => path));
  for (const { path } of before) {
    const file = `${work}/${path}`;
    if (rows.has(path) || !existsSync(file) || !statSync(file).isFile()) continue;
    mine.set(path, readFileSync(file, 'latin1'));
  }
  await syncAndVerify(place, names);
}
