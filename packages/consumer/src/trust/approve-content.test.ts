import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import type { ConfigFile, OriginKind } from '../config/types.ts';
import { approveContent, type ContentOptions } from './approve-content.ts';
import type { InspectedArtifact } from './inspected-content.ts';
import { requireTrust } from './require-trust.ts';

const ARTIFACT: InspectedArtifact = {
  id: 'ops/check',
  version: '1.0.0',
  layer: 'base',
  registry: 'https://catalog.example.com',
  capabilities: [
    {
      capability: { kind: 'inline_command', file: 'SKILL.md', command: 'make' },
      key: 'inline_command make',
      added: true,
      decision: { verdict: 'ask', source: 'the default' },
    },
  ],
};
const FILE = { path: '/work/.catalog/sync.yaml', hash: 'sha256:one' };
const OF_USER = fileOf('user');
const OF_WORKSPACE = fileOf('workspace');
const LOCKED = { locked: true };
const TRUSTED = { locked: true, trust_lock: true };

function fileOf(kind: OriginKind): ConfigFile {
  return { ...FILE, base: '/work', content: {}, origin: { kind, name: 'sync.yaml' } };
}

async function refusalOf(
  files: readonly ConfigFile[],
  options: ContentOptions,
  trusts = false,
): Promise<unknown> {
  const home = temporaryFolder();
  const trust_file = `${home}/trust.json`;
  const config = { files: [...files], trust_file, approvals_file: `${home}/approvals.json` };
  if (trusts) await requireTrust(config, FILE, ['publish: ./push.sh'], { trust: true });
  const all = { written: [ARTIFACT], delivered: [ARTIFACT] };
  return approveContent(all, config, options).then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );
}

test.each<[string, ConfigFile[], ContentOptions, boolean, string | undefined]>([
  ['without configuration files', [], LOCKED, false, 'materialize.consent_required'],
  ['with a file of the user only', [OF_USER], LOCKED, false, 'materialize.consent_required'],
  ['in an untrusted workspace', [OF_WORKSPACE], LOCKED, false, 'materialize.consent_required'],
  ['in a trusted workspace', [OF_WORKSPACE], LOCKED, true, undefined],
  ['and --trust-lock without files', [], TRUSTED, false, undefined],
])('approveContent with --locked %s', async (_, files, options, trusts, code) => {
  expect(await refusalOf(files, options, trusts)).toBe(code);
});

test('approveContent without --locked requires approval even in a trusted workspace', async () => {
  expect(await refusalOf([OF_WORKSPACE], {}, true)).toBe('materialize.consent_required');
});
