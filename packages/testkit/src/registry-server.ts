import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { getQuota } from '@catalog/contract/endpoints/access';
import { listIngests, registerLayer, reingestLayer } from '@catalog/contract/endpoints/layers';
import { ingestReport, type IngestReport } from '@catalog/contract/records/ingest';
import type { RegisterLayerBody } from '@catalog/contract/records/layer';
import type { ResponseOf } from '@catalog/sdk/call';
import { loadSettings } from '@catalog/server/config/load';
import type { Settings } from '@catalog/server/config/settings';
import { openLog, type Log } from '@catalog/server/observe/log';
import { declareLayers } from '@catalog/server/registry/layers/declare-layers';
import type { Registry } from '@catalog/server/registry/registry';

import { onTestFinished } from 'vitest';
import { startRegistry as startServer } from '@catalog/server/start';
import { exchange, openStream, type OpenStream, type RequestOptions } from './http-exchange.ts';
import { checkResponse, endpointOf, type CheckedResponse } from './checked-response.ts';
import { ensureWebAssets } from '../../../tools/services/web-assets.ts';
import { openTestBackend, type TestBackend } from './test-backend.ts';
import { replaceTree, type FileTree } from './temporary-folder.ts';

export interface RegistryServerOptions {
  /** Settings; others have the defaults of `catalog serve`. */
  settings?: Partial<Settings>;
  /** Layers to ingest at the start, lowest precedence first. */
  layers?: Readonly<Record<string, FileTree>>;
  /** Database and objects, which outlive the registry. */
  backend?: TestBackend;
  /** True if the caller closes the registry; otherwise the end of the test does. */
  keep?: true;
}

export interface EndpointOptions extends RequestOptions {
  params?: Readonly<Record<string, string>>;
}

export interface RegistryClientView {
  /** Sends a request. A response that violates the contract fails the test. */
  request(target: Endpoint | string, options?: EndpointOptions): Promise<CheckedResponse>;
  /** Sends a request that must succeed, and returns the body. */
  call<Row extends Endpoint>(row: Row, options?: EndpointOptions): Promise<ResponseOf<Row>>;
  open(path: string, options?: RequestOptions): Promise<OpenStream>;
  /**
   * Replaces the content of a local layer, `base` by default, and waits for its ingest. The layer is registered first;
   * with several tenants, the configuration declares it.
   */
  ingest(files: FileTree, layer?: Partial<RegisterLayerBody>): Promise<IngestReport>;
}

export interface RegistryServer extends RegistryClientView {
  url: string;
  folder: string;
  registry: Registry;
  /** Log lines, one JSON object each; warnings and errors by default. */
  log: readonly string[];
  as(headers: Readonly<Record<string, string>>): RegistryClientView;
  close(): Promise<void>;
}

/** Starts a registry in this process, with the code of `catalog serve`. */
export async function startRegistry(options: RegistryServerOptions = {}): Promise<RegistryServer> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-registry-'));
  const log: string[] = [];
  if (options.settings?.['web_ui.enabled'] === true) await ensureWebAssets();
  const backend = options.backend ?? (await openTestBackend(folder));
  const objects = objectsOf(options.settings?.['store.dsn'], backend.settings);
  const running = await startServer(
    { ...testSettings(folder, backend.settings), ...objects, ...options.settings },
    openTestLog(log, options),
  );
  const { url, registry } = running;
  const faces = new Map<string, RegistryClientView>();
  const as = (headers: Readonly<Record<string, string>>): RegistryClientView => {
    const key = JSON.stringify(headers);
    const own = faces.size === 0 ? 'layers' : `layers-${faces.size}`;
    const face = faces.get(key) ?? openClientView(registry, url, join(folder, own), headers, log);
    faces.set(key, face);
    return face;
  };
  const face = as({});

  async function close(): Promise<void> {
    await running.close();
    if (options.backend === undefined) await backend.close();
    await rm(folder, { recursive: true, force: true });
  }

  if (options.keep !== true) onTestFinished(close);
  for (const [id, files] of Object.entries(options.layers ?? {})) await face.ingest(files, { id });
  return { ...face, url, folder, registry, log, as, close };
}

const objects_of = new Map<string, Partial<Settings>>();

/** Returns the object store. Registries with the same database share one. */
function objectsOf(dsn: string | undefined, own: Partial<Settings>): Partial<Settings> {
  if (dsn === undefined || own['object_store.type'] !== 's3') return {};
  const objects = objects_of.get(dsn) ?? {
    'object_store.bucket': own['object_store.bucket'],
    'object_store.prefix': own['object_store.prefix'],
  };
  objects_of.set(dsn, objects);
  return objects;
}

/** Creates the operations of a caller, whose local layers are in their own folder. */
function openClientView(
  registry: Registry,
  url: string,
  folder: string,
  own: Readonly<Record<string, string>>,
  log: readonly string[],
): RegistryClientView {
  const known = new Set<string>();

  async function request(
    target: Endpoint | string,
    { params = {}, headers = {}, ...given }: EndpointOptions = {},
  ): Promise<CheckedResponse> {
    const method =
      given.method ?? (typeof target === 'string' ? 'GET' : target.methods[0]) ?? 'GET';
    const path = typeof target === 'string' ? target : fillPath(target.path, params);
    const row = typeof target === 'string' ? endpointOf(path, method) : target;
    return checkResponse(
      row,
      method,
      await exchange(url, path, { ...given, method, headers: { ...own, ...headers } }),
    );
  }

  async function call<Row extends Endpoint>(
    row: Row,
    given: EndpointOptions = {},
  ): Promise<ResponseOf<Row>> {
    const { status, body } = await request(row, given);
    if (isAnswer(row, status, body)) return body;
    throw new Error([`${row.name} answered ${status}: ${JSON.stringify(body)}`, ...log].join('\n'));
  }

  async function ingest(
    files: FileTree,
    layer: Partial<RegisterLayerBody> = {},
  ): Promise<IngestReport> {
    const { id = 'base' } = layer;
    const local_path = join(folder, id);
    mkdirSync(local_path, { recursive: true });
    replaceTree(local_path, files);
    if (known.has(id)) {
      return ingestReport.parse(await call(reingestLayer, { query: { id } }));
    }
    if (registry.settings.multi_tenant) {
      const { tenant_id } = await call(getQuota);
      await declareFolder(registry, tenant_id, { ...layer, id, local_path });
    } else {
      const body = { source_type: 'local', local_path, ...layer, id };
      await call(registerLayer, { body });
    }
    known.add(id);
    return firstReport(id);
  }

  async function firstReport(id: string): Promise<IngestReport> {
    for (;;) {
      const { ingests } = await call(listIngests, { query: { id } });
      const first = ingests.at(-1);
      if (first?.report !== undefined) return first.report;
      if (first?.state === 'failed') throw new Error(JSON.stringify(first.error));
      await setTimeout(5);
    }
  }

  return {
    request,
    call,
    open: (path, { headers, ...given } = {}) =>
      openStream(url, path, { ...given, headers: { ...own, ...headers } }),
    ingest,
  };
}

/** Declares a folder: with several tenants, only the operator can name one (SPEC-77). */
async function declareFolder(
  registry: Registry,
  tenant_id: string,
  { id, local_path, ...given }: Partial<RegisterLayerBody> & { id: string; local_path: string },
): Promise<void> {
  const record = await registry.store.tenants.find(tenant_id);
  if (record === undefined) throw new Error(`there is no tenant ${tenant_id}`);
  const source = { source_type: 'local', repo: '', ref: '', root: '', local_path } as const;
  const { public: is_public = false, organization = false, groups = null, users = null } = given;
  const hasVisibility = is_public || organization || groups !== null || users !== null;
  const visibility = hasVisibility ? { public: is_public, organization, groups, users } : undefined;
  await declareLayers(registry, record.tenant, [
    { id, ...source, git_provider: '', force_push_policy: '', visibility },
  ]);
}

/** Returns the settings of a new installation, on a free port. */
function testSettings(folder: string, own: Partial<Settings>): Settings {
  const loaded = loadSettings({
    cwd: folder,
    home: folder,
    env: {},
    flags: { bind: '127.0.0.1:0' },
  });
  return {
    ...loaded.settings,
    shutdown_timeout: 1,
    'log.level': 'warn',
    ...own,
  };
}

function openTestLog(lines: string[], { settings = {} }: RegistryServerOptions): Log {
  const output = { write: (text: string) => lines.push(text.trimEnd()) };
  return openLog({ level: settings['log.level'] ?? 'warn', format: 'json', output }).log;
}

/** Narrows a body that the schema of the endpoint has parsed. */
function isAnswer<Row extends Endpoint>(
  row: Row,
  status: number,
  body: unknown,
): body is ResponseOf<Row> {
  return body !== undefined && Object.hasOwn(row.responses, status);
}

function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)(?:\.\.\.)?\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
}
