import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@catalog/testkit/verifies';
import { describe, expect, test } from 'vitest';
import { until } from './until.ts';
import { OPS, openWorkspace, type Workspace } from './workspace.ts';

const SIGN = { CATALOG_SIGN: 'registry-key' };

async function serveOnce(workspace: Workspace, env: Record<string, string>): Promise<string> {
  const running = workspace.start(
    `serve --json --bind 127.0.0.1:0 --layer-path ${workspace.registry}`,
    env,
  );
  await until('the first ingest', () =>
    running.output().stderr.includes('"ingest done"') ? true : undefined,
  );
  running.signal('SIGTERM');
  return (await running.ended).stderr;
}

async function runJson(
  workspace: Workspace,
  words: string,
  env = {},
): Promise<Record<string, unknown>> {
  const { code, document, stderr } = await workspace.json(words, env);
  if (code !== 0) throw new Error(`${words}: ${JSON.stringify(document)}\n${stderr}`);
  return document;
}

describe('signing settings', () => {
  verifies(
    'ERR-32',
    'serve rejects an unknown signing mode from flag, variable and file',
    async () => {
      const workspace = openWorkspace(OPS);
      const serve = 'serve --bind 127.0.0.1:0';
      const file = join(workspace.home, 'registry.yaml');
      writeFileSync(file, 'registry:\n  sign: sigstore-keyless\n', { mode: 0o644 });
      for (const [words, env] of [
        [`${serve} --sign other`, {}],
        [serve, { CATALOG_SIGN: 'other' }],
        [`${serve} --config ${file}`, {}],
      ] as const) {
        const { code, error } = await workspace.error(words, env);
        expect(code).toBe(2);
        expect(error).toMatchObject({
          code: 'config.invalid_sign_mode',
          suggested_action: expect.stringContaining('registry-key'),
        });
      }
    },
  );

  verifies('ERR-36', 'serve refuses to start without its signing key', async () => {
    const workspace = openWorkspace(OPS);
    const serve = 'serve --bind 127.0.0.1:0';
    const text = join(workspace.home, 'text.key');
    writeFileSync(text, 'not a key');
    const missing = join(workspace.home, 'missing.key');
    for (const env of [
      { ...SIGN, CATALOG_SIGN_KEY_PATH: text },
      { ...SIGN, CATALOG_SIGN_KEY_PATH: `${text},${missing}` },
      {
        ...SIGN,
        CATALOG_REGISTRY_STORE: 'postgres',
        CATALOG_POSTGRES_DSN: 'postgres://x@127.0.0.1:1/x',
      },
    ]) {
      const { code, error } = await workspace.error(serve, env);
      expect(code).toBe(2);
      expect(error.code).toBe('config.signature_provider_unavailable');
    }
  });
});

describe('the signing commands', () => {
  test('sign what was stored before, rotate the key, and turn signing off', async () => {
    const workspace = openWorkspace(OPS);
    await serveOnce(workspace, {});
    const key_file = join(workspace.home, '.catalog/standalone/registry-signing.key');
    expect(await serveOnce(workspace, SIGN)).toContain('catalog admin sign --all');
    expect(existsSync(key_file)).toBe(true);
    expect(statSync(key_file).mode & 0o777).toBe(0o600);

    const unannounced = await runJson(workspace, 'admin keys list', SIGN);
    expect(unannounced).toMatchObject({ signing: 'unannounced', keys: [] });
    const signed = await runJson(workspace, 'admin sign --all', SIGN);
    expect(signed).toMatchObject({ announced: true });
    expect(signed['signed']).toBeGreaterThan(0);
    expect(await runJson(workspace, 'admin sign --all', SIGN)).toEqual({
      signed: 0,
      announced: false,
    });

    const next_file = join(workspace.home, 'next.key');
    const { key_id: next } = await runJson(
      workspace,
      `admin keys rotate ${next_file} --expires 365d`,
      SIGN,
    );
    expect(readFileSync(next_file, 'utf8')).toContain('BEGIN PRIVATE KEY');
    const both = { ...SIGN, CATALOG_SIGN_KEY_PATH: `${next_file},${key_file}` };
    const listed = await runJson(workspace, 'admin keys list', both);
    expect(listed).toMatchObject({
      signing: 'active',
      keys: [
        { ended: null, available: true },
        { key_id: next, ended: null, available: true, expires_at: expect.any(String) },
      ],
    });
    const former = /[0-9a-f]{64}/.exec(JSON.stringify(unannounced))?.[0] ?? '';
    const retired = await runJson(workspace, `admin keys retire ${former.slice(0, 8)}`, both);
    expect(retired).toMatchObject({ key_id: former, ended: 'retired', signed: 0 });
    const still = await workspace.error(`admin keys retire ${String(next)}`, both);
    expect(still).toMatchObject({
      code: 2,
      error: { message: expect.stringContaining('still signs') },
    });

    const revoked = await runJson(
      workspace,
      `admin keys retire ${former} --revoke --since 2026-01-01`,
      both,
    );
    expect(revoked).toMatchObject({ ended: 'revoked', ended_at: '2026-01-01T00:00:00.000Z' });
    expect(revoked['signed']).toBe(signed['signed']);

    const refused = await workspace.error('serve --bind 127.0.0.1:0');
    expect(refused.error.code).toBe('config.signature_provider_unavailable');
    expect(await runJson(workspace, 'admin keys retire --all', both)).toEqual({ signing: 'ended' });
    await serveOnce(workspace, {});
  });
});
