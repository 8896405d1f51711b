import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { sameFingerprint } from './fingerprint.ts';
import { statLayer, readLayer } from './read-layer.ts';

const UNPRIVILEGED_UID = 65_534;
const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: A rule to read.\n---\nBody.\n';

function snapshotOf(root: string): {
  ids: string[];
  refused: Record<string, string>;
  blamed: string[];
} {
  const { snapshot } = readLayer(root, 'base');
  return {
    ids: snapshot.packages.map((pkg) => pkg.id),
    refused: Object.fromEntries(snapshot.refused.map((entry) => [entry.path, entry.reason])),
    blamed: snapshot.refused.flatMap((entry) => entry.artifact_id ?? []),
  };
}

describe('readLayer', () => {
  test('returns packages, nested packages, bare skills and domains, but nothing from dot folders', () => {
    const root = temporaryFolder();
    writeTree(root, {
      'README.md': 'not part of anything',
      'ops/DOMAIN.md': '---\ndescription: Ops.\n---\n',
      'ops/rule/ARTIFACT.md': RULE,
      'ops/rule/scripts/run.sh': { x: '#!/bin/sh\n' },
      'ops/rule/.env.example': 'A=1\n',
      'ops/rule/.DS_Store': 'litter',
      'ops/rule/inner/ARTIFACT.md': RULE,
      'ops/rule/inner/data.txt': 'inner',
      'ops/rule/templates/SKILL.md': 'a template, not a skill',
      'skills/bare/SKILL.md': '---\nname: bare\n---\n',
      'skills/bare/references/a.md': 'a',
      '.git/ARTIFACT.md': RULE,
      'ops/.hidden/x/ARTIFACT.md': RULE,
    });
    const { snapshot } = readLayer(root, 'base');
    const files = snapshot.packages.map((pkg) => ({
      id: pkg.id,
      manifest: pkg.manifest !== undefined,
      skill: pkg.skill !== undefined,
      resources: pkg.resources.map((file) => file.path + (file.executable ? ' (x)' : '')),
    }));
    expect(files).toEqual([
      {
        id: 'ops/rule',
        manifest: true,
        skill: false,
        resources: ['.env.example', 'scripts/run.sh (x)', 'templates/SKILL.md'],
      },
      { id: 'ops/rule/inner', manifest: true, skill: false, resources: ['data.txt'] },
      { id: 'skills/bare', manifest: false, skill: true, resources: ['references/a.md'] },
    ]);
    expect(snapshot.domains.map((domain) => domain.path)).toEqual(['ops']);
    expect(snapshot.refused).toEqual([]);
  });

  test('reports a manifest at the root without turning the layer into a package', () => {
    const root = temporaryFolder();
    writeTree(root, { 'SKILL.md': 'x', 'notes.md': 'x', 'a/SKILL.md': 'x', 'b/ARTIFACT.md': RULE });
    expect(snapshotOf(root).ids).toEqual(['', 'a', 'b']);
  });

  test('reads a link to a file inside the layer', () => {
    const root = temporaryFolder();
    writeTree(root, { 'a/ARTIFACT.md': RULE, 'a/real.txt': 'real', 'b/ARTIFACT.md': RULE });
    symlinkSync('../a/real.txt', join(root, 'b/linked.txt'));
    const { snapshot } = readLayer(root, 'base');
    expect(Buffer.from(snapshot.packages[1]?.resources[0]?.bytes ?? []).toString()).toBe('real');
    expect(snapshot.refused).toEqual([]);
  });

  test('never follows a link out of the layer, never blocks, and rejects the artifact', () => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret'), 'secret');
    const names = ['link-file', 'link-folder', 'link-nowhere', 'link-circle', 'hard', 'fifo'];
    for (const name of names) writeTree(root, { [`${name}/ARTIFACT.md`]: RULE });
    symlinkSync(join(outside, 'secret'), join(root, 'link-file/x'));
    symlinkSync(outside, join(root, 'link-folder/x'));
    symlinkSync('missing', join(root, 'link-nowhere/x'));
    symlinkSync('x', join(root, 'link-circle/x'));
    linkSync(join(outside, 'secret'), join(root, 'hard/x'));
    execFileSync('mkfifo', [join(root, 'fifo/x')]);
    const { refused, blamed } = snapshotOf(root);
    expect(Object.keys(refused).sort()).toEqual(names.map((name) => `${name}/x`).sort());
    expect(blamed.sort()).toEqual(names.toSorted());
    expect(refused['link-file/x']).toBe('is a link that leaves the layer');
    expect(refused['link-folder/x']).toBe('is a link that leaves the layer');
    expect(refused['hard/x']).toContain('hard link');
    expect(refused['fifo/x']).toContain('pipe');
  });

  test("excludes git's own files, and rejects links to them", () => {
    const root = temporaryFolder();
    writeTree(root, {
      '.git/config': 'url = https://user:secret@example.com',
      'a/ARTIFACT.md': RULE,
      'a/.git': 'gitdir: ../../elsewhere',
      'b/ARTIFACT.md': RULE,
    });
    symlinkSync('../.git/config', join(root, 'b/config'));
    const { snapshot } = readLayer(root, 'base');
    expect(snapshot.packages.map(({ resources }) => resources)).toEqual([[], []]);
    expect(snapshot.refused).toMatchObject([
      { path: 'b/config', artifact_id: 'b', reason: expect.stringContaining('git') },
    ]);
  });

  test('rejects a name that is not UTF-8', () => {
    const root = temporaryFolder();
    writeTree(root, { 'a/ARTIFACT.md': RULE });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/a/`), Buffer.of(0xff, 0x78)]), '1');
    const { refused, blamed } = snapshotOf(root);
    expect([Object.values(refused), blamed]).toEqual([['has a name that is not UTF-8'], ['a']]);
  });

  test('outside packages rejects links to folders and ignores other links', () => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    writeTree(root, { 'a/ARTIFACT.md': RULE });
    symlinkSync(outside, join(root, 'team'));
    symlinkSync('a/ARTIFACT.md', join(root, 'README.md'));
    symlinkSync('circle', join(root, 'circle'));
    const { ids, refused, blamed } = snapshotOf(root);
    expect([ids, Object.keys(refused), blamed]).toEqual([['a'], ['team'], []]);
    expect(statLayer(root).map((entry) => entry.path)).toEqual(
      readLayer(root, 'base').seen.map((entry) => entry.path),
    );
  });

  test('rejects an unreadable file by name and reads the others', () => {
    const root = temporaryFolder();
    writeTree(root, { 'a/ARTIFACT.md': RULE, 'a/secret': '1', 'b/ARTIFACT.md': RULE });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'a/secret'), 0o000);
    const program = `
      import { readLayer } from ${JSON.stringify(join(import.meta.dirname, 'read-layer.ts'))};
      const { snapshot } = readLayer(${JSON.stringify(root)}, 'base');
      process.stdout.write(JSON.stringify([snapshot.packages.length, snapshot.refused]));
    `;
    // Root can read everything, so a test that runs as root switches to an unprivileged user.
    const reader = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID } : {};
    const words = ['--conditions=@catalog/source', '--input-type=module', '-e', program];
    const output = execFileSync(process.execPath, words, { encoding: 'utf8', ...reader });
    expect(JSON.parse(output)).toEqual([
      2,
      [
        {
          path: 'a/secret',
          code: 'ingest.source_unreachable',
          reason: 'cannot be read: permission denied',
          artifact_id: 'a',
        },
      ],
    ]);
  });

  test.each([
    ['case', 'a/Read.md', 'a/read.md'],
    ['the case of a folder', 'a/Data/x.md', 'a/data/x.md'],
    ['accents', 'a/caf\u00e9.md', 'a/cafe\u0301.md'],
  ])('rejects names that differ only in %s', (_what, first, second) => {
    const root = temporaryFolder();
    writeTree(root, { 'a/ARTIFACT.md': RULE, [first]: '1', [second]: '2' });
    const { blamed } = snapshotOf(root);
    expect(blamed).toEqual(['a']);
  });

  test('rejects the second of two artifacts whose folders differ only in case', () => {
    const root = temporaryFolder();
    writeTree(root, { 'Alpha/notes.txt': 'x', 'alpha/ARTIFACT.md': RULE });
    const { ids, blamed } = snapshotOf(root);
    expect([ids, blamed]).toEqual([[], ['alpha']]);
  });

  test.each([
    'CON',
    'nul.txt',
    'com1',
    'trailing.',
    'trailing ',
    'a:b',
    'back\\slash',
    'new\nline',
    'bidi\u202Ename',
  ])('rejects the name %j', (name) => {
    const root = temporaryFolder();
    writeTree(root, { 'a/ARTIFACT.md': RULE, [`a/${name}`]: '1' });
    expect(snapshotOf(root).blamed).toEqual(['a']);
  });

  test('rejects a path that is too long', () => {
    const root = temporaryFolder();
    const deep = Array.from({ length: 12 }, () => 'd'.repeat(120)).join('/');
    writeTree(root, { 'a/ARTIFACT.md': RULE });
    mkdirSync(join(root, 'a', deep), { recursive: true });
    writeFileSync(join(root, 'a', deep, 'x'), '1');
    expect(snapshotOf(root).blamed).toEqual(['a']);
  });
});

describe('statLayer after readLayer', () => {
  function unchanged(before: ReturnType<typeof statLayer>, root: string): boolean {
    const after = statLayer(root);
    return (
      after.length === before.length &&
      after.every((entry, index) => {
        const other = before[index];
        return entry.path === other?.path && sameFingerprint(entry.fingerprint, other.fingerprint);
      })
    );
  }

  test('returns the same fingerprints in the same order if nothing changed', () => {
    const root = temporaryFolder();
    writeTree(root, {
      'b/ARTIFACT.md': RULE,
      'a/x/ARTIFACT.md': RULE,
      'a/DOMAIN.md': '---\n---\n',
    });
    symlinkSync('../b/ARTIFACT.md', join(root, 'b/link.md'));
    expect(unchanged(readLayer(root, 'base').seen, root)).toBe(true);
  });

  test('detects an edit that keeps size and modification time', () => {
    const root = temporaryFolder();
    writeTree(root, { 'a/ARTIFACT.md': RULE });
    const file = join(root, 'a/ARTIFACT.md');
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const { seen } = readLayer(root, 'base');
    writeFileSync(file, RULE.replace('Body', 'Ydob'));
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    const racy = seen.some((entry) => entry.hash !== undefined);
    expect(racy || !unchanged(seen, root)).toBe(true);
  });

  test('detects a replaced file', () => {
    const root = temporaryFolder();
    writeTree(root, { 'a/ARTIFACT.md': RULE, other: RULE });
    const { seen } = readLayer(root, 'base');
    renameSync(join(root, 'other'), join(root, 'a/ARTIFACT.md'));
    expect(unchanged(seen, root)).toBe(false);
  });
});
