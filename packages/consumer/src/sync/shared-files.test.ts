import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryJsonc } from '@catalog/testkit/arbitrary-jsonc';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import { removeAll } from './remove.ts';
import { runSync } from './run-sync.ts';

const FILES = ['.harness-a/settings.json', '.mcp.json'] as const;

const ARTIFACTS = ['hooks/stop', 'hooks/start', 'tools/alpha', 'tools/beta'] as const;

function manifest(id: string, edition: number): string {
  const head = `version: 1.0.${edition}\ndescription: Entry number ${edition} of ${id}.\n`;
  return id.startsWith('hooks/')
    ? `---\ntype: hook\n${head}hook_event: ${id === 'hooks/stop' ? 'stop' : 'session_start'}\nhook_action: echo ${edition}\n---\n`
    : `---\ntype: mcp-server\n${head}server_identifier: npx:server-${edition}\n---\n`;
}

type Turn =
  | { kind: 'registry'; editions: number[] }
  | { kind: 'sync' }
  | { kind: 'remove' }
  | { kind: 'edit'; file: number; text: string };

const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({
    kind: fc.constant('registry' as const),
    // 0 means that the artifact is missing.
    editions: fc.array(fc.nat({ max: 2 }), { minLength: 4, maxLength: 4 }),
  }),
  { weight: 2, arbitrary: fc.constant({ kind: 'sync' as const }) },
  fc.constant({ kind: 'remove' as const }),
  fc.record({
    kind: fc.constant('edit' as const),
    file: fc.nat({ max: 1 }),
    text: fc.constantFrom('\n// mine\n', '\n/* "mine": { */\n', '\n\n'),
  }),
);

const userFile = arbitraryJsonc.filter(
  (text) => text.trim() !== '' && !/"(hooks|mcpServers|x-catalog)"/.test(text),
);

test("50 sequences of sync, edit, removal and re-sync preserve every byte of the user's content", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(userFile, userFile),
      fc.array(turn, { minLength: 4, maxLength: 10 }),
      async (texts, turns) => {
        const root = temporaryFolder();
        const registry = `${root}/registry`;
        const work = `${root}/work`;
        mkdirSync(registry);
        mkdirSync(`${work}/.harness-a`, { recursive: true });
        const mine = [...texts];
        for (const [index, file] of FILES.entries())
          writeFileSync(`${work}/${file}`, mine[index] ?? '');
        const config = loadConfig({
          cwd: work,
          home: `${root}/home`,
          env: {},
          flags: { registry, harness: 'harness-a' },
        });

        for (const step of turns) {
          switch (step.kind) {
            case 'registry':
              for (const [index, id] of ARTIFACTS.entries()) {
                const edition = step.editions[index] ?? 0;
                rmSync(`${registry}/${id}`, { recursive: true, force: true });
                if (edition > 0)
                  writeTree(registry, { [`${id}/ARTIFACT.md`]: manifest(id, edition) });
              }
              break;
            case 'sync':
              await runSync(config, { mode: 'sync', allow_removal: true });
              break;
            case 'remove':
              await removeAll(config, { marketplaces: false, dry_run: false });
              break;
            case 'edit': {
              const path = `${work}/${FILES[step.file]}`;
              writeFileSync(path, readFileSync(path, 'utf8') + step.text);
              mine[step.file] += step.text;
            }
          }
        }

        await removeAll(config, { marketplaces: false, dry_run: false });
        await removeAll(config, { marketplaces: false, dry_run: false });
        for (const [index, file] of FILES.entries()) {
          expect(readFileSync(`${work}/${file}`, 'utf8')).toBe(mine[index]);
        }
        expect(existsSync(`${work}/.catalog`)).toBe(false);
      },
    ),
    { numRuns: 50 },
  );
});

test('sync rejects a link in place of a shared file and lists the solutions', async () => {
  const root = temporaryFolder();
  const work = `${root}/work`;
  writeTree(`${root}/registry`, { 'hooks/stop/ARTIFACT.md': manifest('hooks/stop', 1) });
  writeTree(work, { 'mine.json': '{}' });
  mkdirSync(`${work}/.harness-a`);
  symlinkSync('../mine.json', `${work}/.harness-a/settings.json`);
  const env = { CATALOG_REGISTRY: `${root}/registry` };
  const flags = { harness: 'harness-a' };
  const config = loadConfig({ cwd: work, home: `${root}/home`, env, flags });
  await expect(runSync(config, { mode: 'sync' })).rejects.toMatchObject({
    code: 'materialize.target_invalid',
    message: 'Cannot merge into .harness-a/settings.json: it is a link.',
    suggested_action: `Make .harness-a/settings.json a regular file inside ${work}, exclude the harness that reads it, or exclude the artifacts that write to it with --exclude hooks/stop.`,
  });
  expect(readFileSync(`${work}/mine.json`, 'utf8')).toBe('{}');
});
