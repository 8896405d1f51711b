import { spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { readTree, temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import type { ConfigFlags, ConfigInput } from '../config/types.ts';
import { runSync } from '../sync/run-sync.ts';
import { readTrustFile, recordTrust } from '../trust/trust-file.ts';
import { saveToggles, type SavedToggles } from './save-toggles.ts';

const CHECK = 'ops/check';
const SHIP = 'ops/ship';

function openPlace(text?: string) {
  const root = temporaryFolder();
  const work = `${root}/work`;
  const file = `${work}/.catalog/sync.yaml`;
  for (const id of [CHECK, SHIP]) {
    const name = id.slice('ops/'.length);
    writeTree(`${root}/registry`, {
      [`${id}/SKILL.md`]: `---\nname: ${name}\ndescription: Does the thing called ${name}.\n---\nDo it.\n`,
    });
  }
  mkdirSync(work);
  if (text !== undefined) writeTree(work, { '.catalog/sync.yaml': text });
  const input = (flags: ConfigFlags): ConfigInput => ({
    cwd: work,
    home: `${root}/home`,
    env: { CATALOG_REGISTRY: `${root}/registry`, CATALOG_HARNESS: 'harness-a' },
    flags,
  });
  const save = (
    state: 'enable' | 'disable',
    ids: readonly string[],
    flags: ConfigFlags = {},
  ): Promise<SavedToggles> => saveToggles(input(flags), { ids, state }, { wait_ms: 10_000 });
  return {
    root,
    work,
    file,
    input,
    save,
    read: () => readFileSync(file, 'utf8'),
    async refusal(...request: Parameters<typeof save>): Promise<CatalogError> {
      const before = readTree(root, ['work/.catalog/state']);
      const error: unknown = await save(...request).then(
        () => new Error('was not refused'),
        (reason: unknown) => reason,
      );
      if (!(error instanceof CatalogError)) throw error;
      expect(readTree(root, ['work/.catalog/state'])).toEqual(before);
      return error;
    },
  };
}

describe('saveToggles: disable', () => {
  test('writes each id once, and the new configuration excludes it', async () => {
    const place = openPlace('# ours\ndefaults:\n  harness: none # later\n');
    const saved = await place.save('disable', [CHECK, SHIP, CHECK]);
    expect(saved).toMatchObject({ file: place.file, changed: [CHECK, SHIP] });
    expect(saved.config.targets.map(({ scope }) => scope.exclude)).toEqual([[CHECK, SHIP]]);
    const text =
      '# ours\ndefaults:\n  harness: none # later\n  exclude:\n    - ops/check\n    - ops/ship\n';
    expect(place.read()).toBe(text);
    expect((await place.save('disable', [SHIP])).changed).toEqual([]);
    expect(place.read()).toBe(text);
  });

  test('creates a file that contains nothing else', async () => {
    const place = openPlace();
    await place.save('disable', [CHECK]);
    expect(place.read()).toBe('defaults:\n  exclude:\n    - ops/check\n');
  });

  test('does not change a pattern that already matches the id', async () => {
    const text = 'defaults: {exclude: ["ops/c*"]}\n';
    const place = openPlace(text);
    expect((await place.save('disable', [CHECK])).changed).toEqual([]);
    expect(place.read()).toBe(text);
  });

  test('writes to the file that --config names', async () => {
    const place = openPlace('defaults: {}\n');
    writeTree(place.work, { 'publish.yaml': 'targets:\n  - {id: here, exclude: [ops/ship]}\n' });
    const flags = { config: 'publish.yaml' };
    const { config } = await place.save('disable', [CHECK], flags);
    expect(config.targets.map(({ scope }) => scope.exclude)).toEqual([[SHIP, CHECK]]);
    expect(readFileSync(`${place.work}/publish.yaml`, 'utf8')).toBe(
      'targets:\n  - {id: here, exclude: [ops/ship]}\ndefaults:\n  exclude:\n    - ops/check\n',
    );
    expect(place.read()).toBe('defaults: {}\n');
  });

  test('writes to the user file with --scope user', async () => {
    const place = openPlace('defaults: {}\n');
    await place.save('disable', [CHECK], { scope: 'user' });
    expect(readFileSync(`${place.root}/home/.catalog/sync.yaml`, 'utf8')).toBe(
      'defaults:\n  exclude:\n    - ops/check\n',
    );
    expect(place.read()).toBe('defaults: {}\n');
  });

  test('keeps both of two concurrent changes', async () => {
    const place = openPlace('defaults:\n  harness: none\n');
    await Promise.all([place.save('disable', [CHECK]), place.save('disable', [SHIP])]);
    expect(place.read()).toContain('- ops/check\n');
    expect(place.read()).toContain('- ops/ship\n');
  });

  test('keeps the permissions of the file', async () => {
    const place = openPlace('defaults: {}\n');
    chmodSync(place.file, 0o660);
    await place.save('disable', [CHECK]);
    expect(statSync(place.file).mode & 0o777).toBe(0o660);
  });

  test('rejects an id that the registry does not have', async () => {
    const error = await openPlace('defaults: {}\n').refusal('disable', [SHIP, 'ops/chek']);
    expect(error).toMatchObject({
      code: 'registry.not_found',
      suggested_action: 'Did you mean ops/check?',
    });
  });
});

describe('saveToggles with a file that is unsafe to edit', () => {
  const TEXT = 'defaults:\n  harness: none\n';

  test.each<[string, (place: ReturnType<typeof openPlace>) => void, RegExp]>([
    [
      'a link',
      ({ root, file }) => {
        renameSync(file, `${root}/shared.yaml`);
        symlinkSync(`${root}/shared.yaml`, file);
      },
      /it is a link\./,
    ],
    [
      'a folder behind a link',
      ({ root, work }) => {
        renameSync(`${work}/.catalog`, `${root}/elsewhere`);
        symlinkSync(`${root}/elsewhere`, `${work}/.catalog`);
      },
      /a link in place of the folder \.catalog/,
    ],
    ['a hard link', ({ root, file }) => linkSync(file, `${root}/other.yaml`), /hard link/],
    ['a read-only file', ({ file }) => chmodSync(file, 0o444), /read-only/],
    [
      'bytes that are not UTF-8',
      ({ file }) => writeFileSync(file, Buffer.concat([Buffer.from(`${TEXT}# `), Buffer.of(0xe9)])),
      /not valid UTF-8/,
    ],
    [
      'an anchor',
      ({ file }) => writeFileSync(file, 'defaults: &all\n  harness: none\n'),
      /under an anchor/,
    ],
  ])('leaves %s unchanged and prints the line to add', async (_what, arrange, reason) => {
    const place = openPlace(TEXT);
    arrange(place);
    const error = await place.refusal('disable', [CHECK]);
    expect(error.code).toBe('materialize.target_invalid');
    expect(error.message).toMatch(reason);
    expect(error.suggested_action).toContain('`exclude: [ops/check]` under `defaults`');
    expect(existsSync(`${place.work}/.catalog/state`)).toBe(false);
  });

  test('does not replace a dangling link', async () => {
    const place = openPlace(TEXT);
    const { file, root } = place;
    renameSync(file, `${root}/away`);
    symlinkSync(`${root}/missing.yaml`, file);
    await place.refusal('disable', [CHECK]);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(existsSync(`${root}/missing.yaml`)).toBe(false);
  });

  test('reports no problem if nothing needs to change', async () => {
    const place = openPlace('defaults: {exclude: [ops/check]}\n');
    chmodSync(place.file, 0o444);
    expect((await place.save('disable', [CHECK])).changed).toEqual([]);
  });
});

describe('saveToggles: enable', () => {
  test('removes exactly the id, even if its artifact no longer exists', async () => {
    const place = openPlace('defaults:\n  exclude: [ops/check, gone/one] # noisy\n');
    expect((await place.save('enable', ['gone/one'])).changed).toEqual(['gone/one']);
    expect(place.read()).toBe('defaults:\n  exclude: [ops/check] # noisy\n');
    const { config } = await place.save('enable', [CHECK]);
    expect(config.targets.map(({ scope }) => scope.exclude)).toEqual([[]]);
    expect((await place.save('enable', [CHECK])).changed).toEqual([]);
  });

  test.each<[string, string, string | undefined, ConfigFlags, string]>([
    [
      'a pattern of the same file',
      'defaults: {exclude: [ops/check, "ops/c*"]}\n',
      undefined,
      {},
      '`ops/c*` under `defaults.exclude` in ',
    ],
    [
      'another file',
      'defaults: {exclude: [ops/check]}\n',
      'defaults: {exclude: [ops/check]}\n',
      {},
      'sync.local.yaml excludes it',
    ],
    [
      'a target',
      'targets:\n  - {id: here, exclude: ["ops/*"]}\n',
      undefined,
      {},
      '`ops/*` under `exclude` of target here',
    ],
    [
      'a profile',
      'profiles: {web: {exclude: [ops/check]}}\n',
      undefined,
      { profile: 'web' },
      '`ops/check` under `exclude` of profile web',
    ],
    [
      'an include list',
      'profiles: {web: {include: ["web/**"]}}\ntargets: [{id: here, profile: web}]\n',
      undefined,
      {},
      '`include` or `type` of profile web',
    ],
  ])('rejects an id that %s excludes as well', async (_what, text, local, flags, reason) => {
    const place = openPlace(text);
    if (local !== undefined) writeTree(place.work, { '.catalog/sync.local.yaml': local });
    const error = await place.refusal('enable', [CHECK], flags);
    expect(error.code).toBe('config.invalid');
    expect(error.message).toContain(reason);
    expect(error.suggested_action).toContain('`catalog sync enable ops/check`');
  });

  test('enables an id although one of two targets excludes it separately', async () => {
    const place = openPlace(
      'defaults: {exclude: [ops/check]}\ntargets:\n  - {id: a, exclude: [ops/check]}\n  - {id: b}\n',
    );
    const { config } = await place.save('enable', [CHECK]);
    expect(config.targets.map(({ scope }) => scope.exclude)).toEqual([[CHECK], []]);
  });
});

describe('saveToggles with a file trusted to run commands', () => {
  const TEXT = 'defaults: {harness: none}\n';

  test('keeps the trust after the change', async () => {
    const place = openPlace(TEXT);
    const trust = `${place.root}/home/.catalog/trust.json`;
    recordTrust(trust, [{ path: place.file, hash: bytesHash(TEXT) }]);
    await place.save('disable', [CHECK]);
    expect(readTrustFile(trust).get(place.file)).toBe(bytesHash(place.read()));
  });

  test('does not add trust if the file had changed before', async () => {
    const place = openPlace(TEXT);
    const trust = `${place.root}/home/.catalog/trust.json`;
    recordTrust(trust, [{ path: place.file, hash: bytesHash('other') }]);
    await place.save('disable', [CHECK]);
    expect(readTrustFile(trust).get(place.file)).toBe(bytesHash('other'));
  });
});

describe('saveToggles while other programs save', () => {
  const TEXT = '# ours\ndefaults: {harness: none}\n';
  const KEPT = '.catalog/kept';

  function saveAndKill({ work, root }: ReturnType<typeof openPlace>): void {
    const input = {
      cwd: work,
      home: `${root}/home`,
      env: { CATALOG_REGISTRY: `${root}/registry` },
      flags: {},
    };
    const script = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { linkSync } = fs;
      fs.linkSync = (from, to) =>
        to.endsWith('/sync.yaml') ? process.kill(process.pid, 'SIGKILL') : linkSync(from, to);
      syncBuiltinESMExports();
      const { saveToggles } = await import(${JSON.stringify(new URL('save-toggles.ts', import.meta.url))});
      await saveToggles(${JSON.stringify(input)}, { ids: ['${CHECK}'], state: 'disable' }, {});`;
    const words = ['--conditions=@catalog/source', '--input-type=module', '-e', script];
    const { signal, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(signal).toBe('SIGKILL');
  }

  test.each([['a sync'], ['another save']])(
    '%s restores the file of a killed save',
    async (next) => {
      const place = openPlace(TEXT);
      saveAndKill(place);
      expect(existsSync(place.file)).toBe(false);
      if (next === 'a sync') {
        const config = loadConfig(place.input({}));
        expect(config.files.map(({ path }) => path)).toContain(place.file);
        await runSync(config, { mode: 'sync', wait_ms: 10_000, yes: true });
        expect(place.read()).toBe(TEXT);
      } else {
        await place.save('disable', [CHECK]);
        expect(place.read()).toBe('# ours\ndefaults: {harness: none, exclude: [ops/check]}\n');
      }
    },
  );

  test('keeps a file moved aside by a killed save if its record is not authenticated', async () => {
    const place = openPlace(TEXT);
    saveAndKill(place);
    rmSync(`${place.root}/home/.catalog/state.key`);
    await runSync(loadConfig(place.input({})), { mode: 'sync', wait_ms: 10_000, yes: true });
    expect(Object.values(readTree(`${place.work}/${KEPT}`))).toContain(TEXT);
  });

  test('reports the previous version if another program takes the path', async () => {
    const place = openPlace(TEXT);
    await place.save('disable', [SHIP]);
    const before = place.read();
    const { linkSync } = fs;
    const link = vi.spyOn(fs, 'linkSync').mockImplementation((from, to) => {
      if (to === place.file && !existsSync(place.file)) writeFileSync(place.file, 'theirs: true\n');
      linkSync(from, to);
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      link.mockRestore();
      syncBuiltinESMExports();
    });
    const error: unknown = await place.save('disable', [CHECK]).catch((reason: unknown) => reason);
    expect(place.read()).toBe('theirs: true\n');
    const [copy] = readdirSync(`${place.work}/${KEPT}`).filter((name) => name !== '.gitignore');
    expect(readFileSync(`${place.work}/${KEPT}/${copy}`, 'utf8')).toBe(before);
    expect(String(error)).toContain(`${KEPT}/${copy}`);
  });

  test('keeps bytes written through an open handle until the next run', async () => {
    const place = openPlace(TEXT);
    const handle = openSync(place.file, 'a');
    await place.save('disable', [CHECK]);
    writeSync(handle, '# late\n');
    closeSync(handle);
    const { kept } = await place.save('enable', [CHECK]);
    expect(kept.map(({ path }) => path)).toEqual(['sync.yaml']);
    const copies = kept.map(({ kept_at }) => readFileSync(`${place.work}/${kept_at}`, 'utf8'));
    expect(copies).toEqual([`${TEXT}# late\n`]);
  });
});
