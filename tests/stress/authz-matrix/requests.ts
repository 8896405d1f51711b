import { createHmac } from 'node:crypto';
import { tenantId } from '@catalog/server/registry/access/tenant-id';
import type { LayerClass, Patch } from './dimensions.ts';
import {
  artifactIn,
  HOST_PATH,
  layerId,
  objectKeyOf,
  sourceOf,
  TENANT_NAMES,
  WEBHOOK_SECRET,
  wordOf,
} from './fixture.ts';
import { ROUTES } from './routes.ts';
import type { Cell } from './decision-rule.ts';

export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface Addressed {
  jobs: ReadonlyMap<string, string>;
  fresh: () => string;
}

type Form = (
  cell: Cell,
  layer: LayerClass,
  to: Addressed,
) => [method: string, path: string, body?: unknown];

const FORMS: Readonly<Record<string, Form>> = {
  load_domain: (_, layer) => ['GET', `/v1/load_domain?path=at-${layer.name}`],
  search_domains: (_, layer) => ['GET', `/v1/search_domains?query=${wordOf(layer)}`],
  search_artifacts: ({ variant }, layer) => {
    if (variant === 'malformed') return ['GET', '/v1/search_artifacts?top_k=99'];
    if (variant === 'browse') return ['GET', `/v1/search_artifacts?scope=at-${layer.name}`];
    const more = variant === 'as-admin' ? '&as_admin=true' : '';
    return ['GET', `/v1/search_artifacts?query=${wordOf(layer)}${more}`];
  },
  dependents: (_, layer) => ['GET', `/v1/dependents?id=${artifactIn(layer)}`],
  domain_analyze: (_, layer) => ['GET', `/v1/domain/analyze?path=at-${layer.name}`],
  load_artifact: ({ variant }, layer) => {
    const more =
      {
        'as-admin': '&as_admin=1',
        pinned: '&version=1.0.0',
        'in-layer': `&layer=${layerId('read', layer)}`,
      }[variant] ?? '';
    return [
      variant === 'head' ? 'HEAD' : 'GET',
      `/v1/load_artifact?id=${artifactIn(layer)}${more}`,
    ];
  },
  batch_load: (_, layer) => ['POST', '/v1/artifacts:batchLoad', { ids: [artifactIn(layer)] }],
  signatures: () => ['POST', '/v1/signatures', { content_hashes: [`sha256:${'0'.repeat(64)}`] }],
  artifact_markdown: (_, layer) => ['GET', `/v1/artifact.md?id=${artifactIn(layer)}`],
  artifact_lineage: ({ variant }, layer) => {
    const more = variant === 'in-layer' ? `&layer=${layerId('read', layer)}` : '';
    return ['GET', `/v1/artifacts/lineage?id=${artifactIn(layer)}${more}`];
  },
  artifact_usage: (_, layer) => ['GET', `/v1/usage/artifact?id=${artifactIn(layer)}`],
  list_versions: (_, layer) => ['GET', `/v1/artifacts/versions?id=${artifactIn(layer)}`],
  objects: ({ variant }, layer) => [
    variant === 'head' ? 'HEAD' : 'GET',
    `/objects/${objectKeyOf(layer)}`,
  ],
  recent: (_, layer) => ['GET', `/v1/recent?layer=${layerId('read', layer)}`],
  recent_feed: (_, layer) => ['GET', `/v1/recent.atom?layer=${layerId('read', layer)}`],
  list_ingests: (_, layer) => ['GET', `/v1/layers/ingests?id=${layerId('read', layer)}`],
  get_ingest: (_, layer, { jobs }) => [
    'GET',
    `/v1/ingests/${jobs.get(layerId('read', layer)) ?? 'none'}`,
  ],
  register_layer: ({ registration, caller }, layer) => {
    const id = layerId('write', layer);
    const { repo, ...source } = sourceOf(registration?.source ?? 'network', `new-${id}`);
    const given = Object.entries({ repo, ...source }).filter(([, value]) => value !== '');
    const fields = Object.entries(registration?.fields ?? {}).map(([field, value]) => [
      field,
      value === '@caller' ? caller.subject : value,
    ]);
    return ['POST', '/v1/layers', { id, ...Object.fromEntries([...given, ...fields]) }];
  },
  update_layer: (cell, layer) => [
    'POST',
    `/v1/layers/update?id=${layerId('write', layer)}`,
    patchOf(cell, layer),
  ],
  unregister_layer: (_, layer) => ['DELETE', `/v1/layers?id=${layerId('write', layer)}`],
  restore_layer: (_, layer) => ['POST', `/v1/layers/restore?id=${layerId('write', layer)}`],
  reingest_layer: ({ variant }, layer) => [
    'POST',
    `/v1/layers/reingest?id=${layerId('write', layer)}&wait=false`,
    variant === 'break-glass'
      ? { break_glass: true, justification: 'because', approvers: ['a', 'b'] }
      : undefined,
  ],
  reorder_layers: (cell, layer) => ['POST', '/v1/layers/reorder', { order: orderOf(cell, layer) }],
  preview_reorder: (cell, layer) => [
    'POST',
    '/v1/layers/reorder/preview',
    { order: orderOf(cell, layer) },
  ],
  test_source: () => [
    'POST',
    '/v1/layers/test',
    { id: 'tested', source_type: 'git', repo: 'https://127.0.0.1/x.git', git_provider: 'unknown' },
  ],
  ingest_webhook: ({ variant }, layer) => {
    const id = layerId('write', layer);
    const key = { 'without-key': '', 'other-key': '?key=guessed' }[variant] ?? `?key=key-of-${id}`;
    return ['POST', `/v1/ingest/webhook/${id}${key}`, { ref: 'refs/heads/main' }];
  },
  grant_admin: ({ variant }, _, { fresh }) => [
    'POST',
    '/v1/admin/grants',
    variant === 'malformed' ? {} : { user_id: fresh() },
  ],
  revoke_admin: ({ variant }) => [
    'DELETE',
    variant === 'malformed' ? '/v1/admin/grants' : '/v1/admin/grants?user_id=adele-the-second',
  ],
  purge: ({ variant }) => [
    'POST',
    '/v1/admin/purge',
    { id: 'unknown/artifact', ...(variant === 'malformed' ? {} : { reason: 'because' }) },
  ],
  put_freeze_windows: ({ variant }) => [
    'PUT',
    '/v1/admin/freeze-windows',
    { windows: variant === 'malformed' ? [{ name: 'endless' }] : [] },
  ],
  break_glass: ({ variant }) => [
    'POST',
    '/v1/admin/break-glass',
    variant === 'malformed' ? {} : { layer: 'unknown-layer', reference: '*' },
  ],
  show_effective: ({ variant }) => [
    'GET',
    `/v1/admin/show-effective${variant === 'malformed' ? '' : '?user_id=oscar&group=crew'}`,
  ],
  reembed: ({ variant }) => [
    'POST',
    `/v1/admin/reembed?${variant === 'malformed' ? 'artifact=alone' : 'wait=false'}`,
  ],
  get_reembed: () => ['GET', '/v1/admin/reembed/nobody-asked'],
  create_webhook: () => ['POST', '/v1/webhooks', { url: 'https://10.0.0.1/' }],
  update_webhook: ({ variant }) => [
    'PUT',
    '/v1/webhooks/nobody',
    variant === 'malformed' ? { debounce: 'soon' } : { disabled: true },
  ],
  recover_webhook: ({ variant }) => [
    'POST',
    '/v1/webhooks/nobody/recover',
    variant === 'malformed' ? {} : { since: '2026-01-01T00:00:00Z' },
  ],
  create_tenant: ({ variant }, _, { fresh }) => [
    'POST',
    '/v1/admin/tenants',
    variant === 'malformed' ? {} : { name: fresh() },
  ],
  update_tenant: ({ variant }) => [
    'PATCH',
    `/v1/admin/tenants/${tenantOf(variant)}`,
    variant === 'malformed' ? { active: 'maybe' } : { expose_scope_preview: null },
  ],
  deactivate_tenant: ({ variant }) => ['DELETE', `/v1/admin/tenants/${tenantOf(variant)}`],
};

function tenantOf(variant: string): string {
  return tenantId(variant === 'unknown' ? 'nobody' : TENANT_NAMES.inactive);
}

/** Returns a patch whose value always differs from the current one. */
function patchOf({ patch = 'nothing' }: Cell, layer: LayerClass): unknown {
  const local_path = `/srv/${HOST_PATH}/patched`;
  const { groups, users, owner, organization } = layer;
  const bodies: Record<Patch, unknown> = {
    nothing: {},
    ref: { ref: 'patched' },
    root: { root: 'patched' },
    force_push_policy: { force_push_policy: 'strict' },
    git_provider: { git_provider: 'git-host-b' },
    'unknown-provider': { git_provider: 'nobody' },
    rotate_webhook_secret: { rotate_webhook_secret: true },
    local_path: { local_path },
    'local_path-and-public': { local_path, public: !layer.public },
    public: { public: !layer.public },
    organization: { organization: !organization },
    groups: { groups: ['patched'] },
    users: { users: ['patched', ...users] },
    'empty-users': { users: [] },
    owner: { owner: 'patched' },
    restated: {
      public: layer.public,
      organization,
      groups,
      users: users.length === 0 ? null : users,
      owner,
    },
  };
  return bodies[patch];
}

const NO_LAYER: LayerClass = {
  name: 'none',
  state: 'absent',
  defined: 'admin',
  owner: '',
  public: false,
  organization: false,
  groups: [],
  users: [],
  source: 'network',
};

export function requestOf(cell: Cell, to: Addressed): WireRequest {
  const form = FORMS[cell.route];
  const [method, path, given] = form?.(cell, cell.layer ?? NO_LAYER, to) ??
    ROUTES[cell.route]?.request ?? ['GET', '/nowhere'];
  const body = given === undefined ? undefined : JSON.stringify(given);
  return {
    method,
    path,
    body,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cell.route === 'ingest_webhook' ? signatureOf(cell.variant, body ?? '', to) : {}),
    },
  };
}

function signatureOf(variant: string, body: string, { fresh }: Addressed): Record<string, string> {
  const secret = variant === 'forged' ? 'another secret' : WEBHOOK_SECRET;
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  return { 'x-hub-signature-256': `sha256=${digest}`, 'x-github-delivery': fresh() };
}

function orderOf({ reorder }: Cell, layer: LayerClass): string[] {
  const id = layerId('write', layer);
  const first = layer.defined === 'user' ? 'write-own' : 'write-shared-public';
  const order = { alone: [id], twice: [id, id], 'with-first': [id, first], nothing: [] };
  return order[reorder ?? 'nothing'];
}
