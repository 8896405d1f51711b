import { createHmac } from 'node:crypto';
import { syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import {
  listLayers,
  registerLayer,
  reingestLayer,
  updateLayer,
} from '@catalog/contract/endpoints/layers';
import { listVersions } from '@catalog/contract/endpoints/materialization';
import { startGitServer } from '@catalog/testkit/git-server';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

/** No ingest can reach this URL: private addresses are rejected before a connection is made. */
const REPO = 'https://127.0.0.1:9/skills.git';
const BODY = '{"ref":"refs/heads/main"}';

function sign(secret: string): string {
  return createHmac('sha256', secret).update(BODY).digest('hex');
}

async function deliver(server: RegistryServer, address: string, headers: Record<string, string>) {
  const { pathname, search } = new URL(address);
  return server.request(`${pathname}${search}`, { method: 'POST', body: BODY, headers });
}

async function register(server: RegistryServer, more: object = {}) {
  const body = { id: 'skills', source_type: 'git', repo: REPO, ...more };
  const {
    layer,
    webhook_url = '',
    webhook_secret = '',
  } = await server.call(registerLayer, { body });
  return { layer, webhook_url, webhook_secret };
}

function rule(version: string): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n---\nWave.\n`;
}

describe('git layers', () => {
  verifies(
    ['LAYER-28', 'LAYER-14', 'LAYER-43'],
    'accept deliveries at the issued URL with signatures of the default provider',
    async () => {
      const server = await startRegistry({ settings: { public_url: 'https://catalog.example' } });
      const { webhook_url, webhook_secret } = await register(server);
      expect(webhook_url).toMatch(
        /^https:\/\/catalog\.example\/v1\/ingest\/webhook\/skills\?key=[\w-]{16,}$/,
      );
      const asHostA = { 'x-hub-signature-256': `sha256=${sign(webhook_secret)}` };
      expect(await deliver(server, webhook_url, asHostA)).toMatchObject({
        status: 202,
        body: { layer: 'skills' },
      });
      const asHostB = { 'x-gitlab-token': webhook_secret };
      expect((await deliver(server, webhook_url, asHostB)).status).toBe(401);
    },
  );

  verifies(
    ['LAYER-14', 'LUPD-06'],
    'verify deliveries by the signature scheme of their provider',
    async () => {
      const server = await startRegistry();
      const { webhook_url, webhook_secret } = await register(server, {
        git_provider: 'git-host-b',
      });
      const token = { 'x-gitlab-token': webhook_secret };
      const signature = { 'x-hub-signature-256': `sha256=${sign(webhook_secret)}` };
      expect((await deliver(server, webhook_url, token)).status).toBe(202);
      expect((await deliver(server, webhook_url, signature)).status).toBe(401);
      await server.call(updateLayer, {
        query: { id: 'skills' },
        body: { git_provider: 'git-host-a' },
      });
      expect((await deliver(server, webhook_url, token)).status).toBe(401);
      expect((await deliver(server, webhook_url, signature)).status).toBe(202);
    },
  );

  verifies(
    ['LSTATE-06', 'LSTATE-10'],
    'accept only the current secret after a rotation or a new registration',
    async () => {
      const server = await startRegistry();
      const { webhook_url, webhook_secret: first } = await register(server);
      const status = async (secret: string) =>
        (await deliver(server, webhook_url, { 'x-hub-signature-256': `sha256=${sign(secret)}` }))
          .status;
      const rotation = { query: { id: 'skills' }, body: { rotate_webhook_secret: true } };
      const { webhook_secret: second = '', layer } = await server.call(updateLayer, rotation);
      expect(layer.deleted_at).toBeNull();
      expect([await status(first), await status(second)]).toEqual([401, 202]);
      const { webhook_secret: third } = await register(server);
      expect([await status(second), await status(third)]).toEqual([401, 202]);
    },
  );

  verifies(
    ['LAYER-03', 'LAYER-04', 'LAYER-05', 'LAYER-17', 'LUPD-02', 'LUPD-03'],
    'follow their ref and root, and report the ingested commit',
    async () => {
      const host = await startGitServer(temporaryFolder());
      onTestFinished(() => host.close());
      const repository = host.addRepository('skills.git');
      const main = repository.commit({
        'skills/ops/greet/ARTIFACT.md': rule('1.0.0'),
        'docs/ops/other/ARTIFACT.md': rule('1.0.0'),
      });
      const next = repository.commit(
        { 'skills/ops/greet/ARTIFACT.md': rule('2.0.0') },
        { branch: 'next', parents: [main] },
      );
      const server = await startRegistry({ settings: { 'egress.allowed_hosts': ['127.0.0.1'] } });
      const source = { repo: repository.url, ref: 'main', root: 'skills' };
      const { layer } = await register(server, source);
      expect(layer).toMatchObject(source);
      const served = async () => {
        const report = await server.call(reingestLayer, { query: { id: 'skills' } });
        const { artifacts } = await server.call(syncManifestEndpoint);
        const [current] = (await server.call(listLayers)).layers;
        return [
          report,
          current?.last_ingested_ref,
          artifacts.map(({ id, version }) => `${id}@${version}`),
        ];
      };
      expect(await served()).toEqual([
        expect.objectContaining({ reference: main }),
        main,
        ['ops/greet@1.0.0'],
      ]);
      await server.call(updateLayer, { query: { id: 'skills' }, body: { ref: 'next' } });
      expect(await served()).toEqual([
        expect.objectContaining({ reference: next }),
        next,
        ['ops/greet@2.0.0'],
      ]);
      const { versions } = await server.call(listVersions, { query: { id: 'ops/greet' } });
      expect(versions.map(({ version, commit }) => [version, commit])).toEqual([
        ['2.0.0', next],
        ['1.0.0', main],
      ]);
      // The older branch contains the earlier version, which becomes current again (SPEC-70).
      await server.call(updateLayer, { query: { id: 'skills' }, body: { ref: 'main' } });
      expect(await served()).toEqual([
        expect.objectContaining({ reference: main }),
        main,
        ['ops/greet@1.0.0'],
      ]);
      await server.call(updateLayer, { query: { id: 'skills' }, body: { ref: 'next' } });
      await served();
      await server.call(updateLayer, { query: { id: 'skills' }, body: { root: 'docs' } });
      expect(await served()).toEqual([
        expect.objectContaining({ reference: next }),
        next,
        ['ops/other@1.0.0'],
      ]);
    },
  );
});
