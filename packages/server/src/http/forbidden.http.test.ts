import {
  createTenant,
  getQuota,
  grantAdmin,
  showEffective,
} from '@catalog/contract/endpoints/access';
import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { listLayers, registerLayer, updateLayer } from '@catalog/contract/endpoints/layers';
import { reembed } from '@catalog/contract/endpoints/search-index';
import { createWebhook, getWebhook, listWebhooks } from '@catalog/contract/endpoints/webhooks';
import {
  asCaller,
  asAnonymous,
  TRUSTED_HEADERS,
  TRUSTED_HEADERS_MULTI_TENANT,
} from '@catalog/testkit/callers';
import { startRegistry, type EndpointOptions } from '@catalog/testkit/registry-server';
import { expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const REMOTE = { source_type: 'git', repo: 'https://127.0.0.1:9/layer.git' };
const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet.\n---\nWave.\n';

verifies(
  'ERR-09',
  'every operation that requires a missing role returns 403 auth.forbidden',
  async () => {
    const settings = { ...TRUSTED_HEADERS, bootstrap_admins: ['ada'] };
    const server = await startRegistry({ settings });
    const several = await startRegistry({
      settings: { ...TRUSTED_HEADERS_MULTI_TENANT, bootstrap_admins: ['acme=ada'] },
    });
    const ada = server.as(asCaller({ subject: 'ada' }));
    const bo = server.as(asCaller({ subject: 'bo' }));
    await ada.call(registerLayer, { body: { id: 'base', ...REMOTE, organization: true } });
    const local = { id: 'own', source_type: 'local', local_path: '/srv' };
    const operations: [string, Endpoint, EndpointOptions, string | undefined][] = [
      ['admin-only operation', grantAdmin, { body: { user_id: 'eve' } }, undefined],
      ['receiver', createWebhook, { body: { url: 'https://93.184.215.14/' } }, undefined],
      ['layer write', updateLayer, { query: { id: 'base' }, body: { ref: 'x' } }, undefined],
      ['local source', registerLayer, { body: local }, 'local_source'],
      [
        'admin-only fields',
        registerLayer,
        { body: { id: 'own', ...REMOTE, public: true } },
        'admin_only_fields',
      ],
      ['as_admin', searchArtifacts, { query: { query: 'x', as_admin: 'true' } }, undefined],
    ];
    for (const [arm, row, options, constraint] of operations) {
      const { status, body } = await bo.request(row, options);
      expect([arm, status, body]).toMatchObject([
        arm,
        403,
        {
          code: 'auth.forbidden',
          ...(constraint === undefined ? {} : { details: { constraint } }),
        },
      ]);
    }
    const operator = several.as(asCaller({ subject: 'ada', org: 'acme' }));
    expect(await operator.request(createTenant, { body: { name: 'globex' } })).toMatchObject({
      status: 403,
      body: { code: 'auth.forbidden' },
    });
  },
);

verifies('ERR-73', 'arguments that fail validation return 400', async () => {
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['ada'] },
  });
  const ada = server.as(asCaller({ subject: 'ada' }));
  const bo = server.as(asCaller({ subject: 'bo' }));
  await bo.call(registerLayer, { body: { id: 'own', ...REMOTE } });
  const invalid: [string, Endpoint, EndpointOptions][] = [
    ['top_k', searchArtifacts, { query: { query: 'x', top_k: 51 } }],
    ['git_provider', registerLayer, { body: { id: 'x', ...REMOTE, git_provider: 'unknown' } }],
    ['receiver URL', createWebhook, { body: { url: 'https://10.0.0.1/' } }],
    ['visibility', updateLayer, { query: { id: 'own' }, body: { public: true } }],
  ];
  for (const [what, row, options] of invalid) {
    const { status, body } = await ada.request(row, options);
    expect([what, status, body]).toMatchObject([what, 400, { code: 'registry.invalid_argument' }]);
  }
});

verifies('VER-03', 'responses and routes contain no form from before 0.4.0', async () => {
  const server = await startRegistry({
    settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['ada'], 'web_ui.enabled': true },
  });
  const ada = server.as(asCaller({ subject: 'ada' }));
  await ada.ingest({ 'greet/ARTIFACT.md': RULE }, { id: 'base', users: ['ada'] });
  const { id } = await ada.call(createWebhook, { body: { url: 'https://93.184.215.14/' } });
  const bodies = [
    await ada.call(listLayers),
    await ada.call(listWebhooks),
    await ada.call(getWebhook, { params: { id } }),
    await ada.call(getQuota),
    await ada.call(showEffective, { query: { user_id: 'bo' } }),
    await ada.call(reembed, { query: { wait: 'true' } }),
  ];
  const keys = bodies.flatMap(listKeys);
  expect(keys.length).toBeGreaterThan(30);
  expect(keys.filter((key) => /[A-Z]/.test(key))).toEqual([]);
  const [layer] = (await ada.call(listLayers)).layers;
  expect(listKeys(layer).filter((key) => key.includes('tenant'))).toEqual([]);
  const numeric = { url: 'https://93.184.215.14/', debounce: 60_000_000_000 };
  expect(await ada.request(createWebhook, { body: numeric })).toMatchObject({ status: 400 });
  for (const [method, path] of [
    ['GET', '/ui/'],
    ['POST', '/v1/admin/runtime'],
    ['GET', '/v1/admin/runtime'],
  ] as const) {
    expect((await ada.request(path, { method })).status).toBe(404);
  }
  expect((await server.as(asCaller({ subject: 'bo' })).call(listLayers)).layers).toEqual([]);
  expect((await server.as(asAnonymous()).call(listLayers)).layers).toEqual([]);
});

function listKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listKeys);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...listKeys(member)]);
}
