import { mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTree, temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import type { Config, ConfigFlags } from '../config/types.ts';
import { readStatus } from '../status.ts';
import { listOutdated } from './outdated.ts';
import { removeAll } from './remove.ts';
import { runSync } from './run-sync.ts';

const REGISTRY = {
  'ops/check/SKILL.md': '---\nname: check\ndescription: Does the thing called check.\n---\nDo.\n',
  'ops/no-friday/ARTIFACT.md':
    '---\ntype: rule\nversion: 1.0.0\ndescription: No releases on Fridays.\n---\nNo.\n',
};

interface Place {
  work: string;
  config: (flags?: ConfigFlags) => Config;
  paths: () => string[];
}

function createPlace(settings: string): Place {
  const root = temporaryFolder();
  const work = `${root}/work`;
  mkdirSync(work);
  writeTree(`${root}/registry`, REGISTRY);
  writeTree(work, { '.catalog/sync.yaml': `defaults: {registry: ../registry}\n${settings}` });
  return {
    work,
    config: (flags = {}) => loadConfig({ cwd: work, home: `${root}/home`, env: {}, flags }),
    paths: () => Object.keys(readTree(work, ['.catalog'])).sort(),
  };
}

const BOTH = [
  '.claude/rules/no-friday.md',
  '.claude/skills/check/SKILL.md',
  '.cursor/rules/no-friday.mdc',
];

test('a target with several harnesses delivers to each, and a run with flags does not change it', async () => {
  const { config, paths } = createPlace('targets: [{id: web, harness: [claude-code, cursor]}]\n');
  await runSync(config(), { mode: 'sync' });
  expect(paths()).toEqual(BOTH);
  const { targets } = await runSync(config({ harness: 'none' }), { mode: 'sync' });
  expect(targets[0]?.replaced).toBeUndefined();
  expect(paths()).toEqual(expect.arrayContaining(BOTH));
  await runSync(config(), { mode: 'sync' });
  expect(paths()).toEqual(BOTH);
});

test('sync removes the files of a harness removed from a target, and reports the harness', async () => {
  const { config, paths, work } = createPlace(
    'targets: [{id: web, harness: [claude-code, cursor]}]\n',
  );
  await runSync(config(), { mode: 'sync' });
  writeTree(work, {
    '.catalog/sync.yaml':
      'defaults: {registry: ../registry}\ntargets: [{id: web, harness: claude-code}]\n',
  });
  const { targets } = await runSync(config(), { mode: 'sync' });
  expect(targets.map(({ replaced }) => replaced)).toEqual([['cursor']]);
  expect(paths()).toEqual(BOTH.slice(0, 2));
});

test('each target has its own fallback for rules whose mode its harness does not support', async () => {
  const { config, paths, work } = createPlace(
    'targets: [{id: a, harness: codex}, {id: b, harness: gemini-cli, rule_fallback: skip}]\n',
  );
  writeTree(`${work}/../registry`, {
    'ops/no-friday/ARTIFACT.md':
      '---\ntype: rule\nversion: 1.0.0\ndescription: No releases.\nrule_mode: explicit\n---\nNo.\n',
  });
  const { targets } = await runSync(config(), { mode: 'sync' });
  expect(paths()).toEqual(['.agents/skills/check/SKILL.md', '.codex/skills/no-friday/SKILL.md']);
  expect(targets).toMatchObject([
    { fallbacks: [{ artifact_id: 'ops/no-friday' }], skipped: [] },
    { fallbacks: [], skipped: [{ artifact_id: 'ops/no-friday', harness: 'gemini-cli' }] },
  ]);
  writeTree(work, {
    '.catalog/sync.yaml':
      'defaults: {registry: ../registry, rule_fallback: skill}\ntargets: [{id: a, harness: codex}]\n',
  });
  await runSync(config(), { mode: 'sync' });
  expect(paths()).toEqual(['.agents/skills/check/SKILL.md', '.agents/skills/no-friday/SKILL.md']);
});

test('a run for one harness reports the harnesses whose files it removes, in the dry run and once in the sync', async () => {
  const { config } = createPlace('');
  // Cursor reads the rule in AGENTS.md and the skill of Claude Code, so it needs no files.
  await runSync(config({ harness: 'claude-code,cursor,codex,gemini-cli' }), { mode: 'sync' });
  const codex = config({ harness: 'codex' });
  for (const mode of ['dry-run', 'sync'] as const) {
    const { targets } = await runSync(codex, { mode, allow_removal: true });
    expect(targets.map(({ replaced }) => replaced)).toEqual([['claude-code', 'gemini-cli']]);
  }
  const { targets } = await runSync(codex, { mode: 'sync' });
  expect(targets[0]?.replaced).toBeUndefined();
});

test.each([
  ['codex', 'claude-code,cursor,codex'],
  ['claude-code,cursor,codex', 'codex'],
])('files delivered by a run for %s are recognized by a run for %s', async (first, second) => {
  const { config } = createPlace('');
  await runSync(config({ harness: first }), { mode: 'sync' });
  const next = config({ harness: second });
  const { targets } = await readStatus(next, {});
  expect(targets.find(({ harness }) => harness === 'codex')).toMatchObject({
    artifacts: 2,
    files: 1,
    entries: 1,
  });
  const outdated = await listOutdated(next);
  const codex = second === 'codex' ? 'default' : 'codex';
  expect(outdated.filter(({ target }) => target === codex)).toEqual([]);
});

test('a removal lists changed files of the user first', async () => {
  const { config, work } = createPlace('');
  writeTree(work, { 'AGENTS.md': 'Mine.\n' });
  await runSync(config({ harness: 'codex' }), { mode: 'sync' });
  const { targets } = await removeAll(config({ harness: 'codex' }), { dry_run: true });
  expect(targets[0]?.changes.map(({ path, change }) => [path, change])).toEqual([
    ['AGENTS.md', 'changed'],
    ['.agents/skills/check/SKILL.md', 'removed'],
  ]);
});

test('a clash names an artifact only once if two harnesses want the same path', async () => {
  const { config, work } = createPlace('');
  writeTree(work, { '.agents/skills/check/SKILL.md': 'Mine.\n' });
  const run = runSync(config({ harness: 'codex,gemini-cli' }), { mode: 'sync' });
  await expect(run).rejects.toThrow('needed by ops/check, but');
});

const WITH_CODEX = 'targets: [{id: web, harness: [claude-code, codex]}]\n';
const RULE = '.claude/rules/no-friday.md';

test('Claude Code imports the rules of Codex, even after the user adds to CLAUDE.md', async () => {
  const { config, paths, work } = createPlace(WITH_CODEX);
  await runSync(config(), { mode: 'sync' });
  expect(paths()).not.toContain(RULE);
  const { 'CLAUDE.md': imported = '' } = readTree(work, ['.catalog']);
  expect(imported).toMatch(/^@AGENTS\.md$/m);
  writeTree(work, { 'CLAUDE.md': `Mine.\n\n${imported}` });
  await runSync(config(), { mode: 'sync' });
  expect(readTree(work, ['.catalog'])).toMatchObject({ 'CLAUDE.md': `Mine.\n\n${imported}` });
  expect(paths()).not.toContain(RULE);
  await removeAll(config(), { dry_run: false });
  expect(readTree(work, ['.catalog'])).toMatchObject({ 'CLAUDE.md': 'Mine.\n\n' });
});

test('a CLAUDE.md without the import is not changed, and Claude Code gets separate rules', async () => {
  const { config, paths, work } = createPlace(WITH_CODEX);
  writeTree(work, { 'CLAUDE.md': 'Mine. See AGENTS.md.\n' });
  await runSync(config(), { mode: 'sync' });
  expect(readTree(work, ['.catalog'])).toMatchObject({ 'CLAUDE.md': 'Mine. See AGENTS.md.\n' });
  expect(paths()).toContain(RULE);
});

test.each(['before', 'after'])(
  'a CLAUDE.md that links to AGENTS.md %s the first sync needs no import',
  async (when) => {
    const { config, paths, work } = createPlace(WITH_CODEX);
    if (when === 'after') writeTree(work, { 'AGENTS.md': 'Mine.\n' });
    symlinkSync('AGENTS.md', `${work}/CLAUDE.md`);
    await runSync(config(), { mode: 'sync' });
    await runSync(config(), { mode: 'sync' });
    expect(readlinkSync(`${work}/CLAUDE.md`)).toBe('AGENTS.md');
    expect(readFileSync(`${work}/CLAUDE.md`, 'utf8')).not.toContain('@AGENTS.md');
    expect(paths()).not.toContain(RULE);
  },
);

test('sync writes an agent again when the user denies one of its tools', async () => {
  const { config, work } = createPlace('targets: [{id: web, harness: opencode}]\n');
  const agent = 'type: agent\nversion: 1.0.0\ndescription: Ships.\ntools: [Bash]\n';
  writeTree(`${work}/../registry`, { 'ops/ship/ARTIFACT.md': `---\n${agent}---\nShip.\n` });
  const written = async (): Promise<string> => {
    await runSync(config(), { mode: 'sync' });
    return readFileSync(`${work}/.opencode/agents/ship.md`, 'utf8');
  };
  await runSync(config(), { mode: 'sync', approve: ['ops/ship'] });
  expect(await written()).toContain('bash: allow\n');
  writeTree(`${work}/../home`, {
    '.config/opencode/opencode.jsonc': '// Mine.\n{"permission": {"bash": "deny"}}\n',
  });
  expect(await written()).toContain('bash: deny\n');
  writeTree(work, { 'opencode.json': '{"permission": {"bash": "ask"}}\n' });
  expect(await written()).toContain('bash: ask\n');
  writeTree(work, { 'opencode.json': '{"permission":\n' });
  const { targets } = await runSync(config(), { mode: 'sync' });
  expect(targets[0]?.fallbacks).toMatchObject([
    {
      artifact_id: 'ops/ship',
      reason: expect.stringMatching(/^opencode\.json cannot be read, so/),
    },
  ]);
});

test('a strict sync accepts a dropped key that neither limits nor runs anything', async () => {
  const { config, work } = createPlace('targets: [{id: web, harness: codex}]\n');
  const agent = (key: string): string =>
    `---\ntype: agent\nversion: 1.0.0\ndescription: Ships.\n${key}\n---\nShip.\n`;
  writeTree(`${work}/../registry`, { 'ops/ship/ARTIFACT.md': agent('color: blue') });
  const { targets } = await runSync(config(), { mode: 'sync', strict: true });
  expect(targets[0]?.fallbacks).toEqual([
    { artifact_id: 'ops/ship', reason: '`color` is not written', minor: true },
  ]);
  writeTree(`${work}/../registry`, { 'ops/ship/ARTIFACT.md': agent('maxTurns: 3') });
  await expect(runSync(config(), { mode: 'sync', strict: true })).rejects.toThrow(
    /`maxTurns` is not written, so the number of its turns is not limited/,
  );
});
