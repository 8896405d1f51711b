import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../../config/load-config.ts';
import type { SyncReport } from '../report.ts';
import { runSync } from '../run-sync.ts';
import type { ConsentRequest, SyncOptions } from '../sync-options.ts';

const SERVER =
  '---\ntype: mcp-server\nname: wh\nversion: 1.0.0\ndescription: Access.\nserver_identifier: npx:wh\n---\n';
const COMMAND = '---\ntype: command\nversion: 1.0.0\ndescription: Ships.\n---\nShip it.\n';

function createHome(): {
  home: string;
  sync: (options?: Partial<SyncOptions>) => Promise<SyncReport>;
} {
  const root = temporaryFolder();
  const home = `${root}/home`;
  writeTree(`${root}/registry`, { 'ops/wh/ARTIFACT.md': SERVER, 'ops/ship/ARTIFACT.md': COMMAND });
  writeTree(home, { '.harness-a.json': '{"mcpServers": {"mine": {"command": "x"}}}\n' });
  const input = {
    cwd: root,
    home,
    env: { CATALOG_REGISTRY: `${root}/registry`, CATALOG_HARNESS: 'harness-a' },
    flags: { scope: 'user' as const },
  };
  return {
    home,
    sync: (options = {}) => runSync(loadConfig(input), { mode: 'sync', wait_ms: 0, ...options }),
  };
}

test("sync writes to the home folder only with the user's consent", async () => {
  const { home, sync } = createHome();
  await expect(sync()).rejects.toMatchObject({
    code: 'materialize.consent_required',
    details: { writes: ['.harness-a/commands/ship.md'], edits: ['.harness-a.json'] },
  });
  const requests: ConsentRequest[] = [];
  const answer = (yes: boolean) => (request: ConsentRequest) => {
    requests.push(request);
    return Promise.resolve(yes);
  };
  await expect(sync({ confirmConsent: answer(false) })).rejects.toMatchObject({
    code: 'materialize.consent_required',
  });
  expect(existsSync(`${home}/.harness-a`)).toBe(false);
  expect(requests[0]).toMatchObject({ directory: home, harnesses: ['harness-a'] });

  await sync({ confirmConsent: answer(true) });
  expect(readFileSync(`${home}/.harness-a.json`, 'utf8')).toContain('"wh"');
  const before = requests.length;
  await sync({ confirmConsent: answer(false), rewrite_lock: true });
  expect(requests).toHaveLength(before);
});

test('--yes gives consent, and --dry-run needs none', async () => {
  const { home, sync } = createHome();
  await sync({ mode: 'dry-run' });
  expect(existsSync(`${home}/.harness-a`)).toBe(false);
  await sync({ yes: true });
  expect(existsSync(`${home}/.harness-a/commands/ship.md`)).toBe(true);
});
