import { mkdirSync } from 'node:fs';
import { isRecord } from '@catalog/consumer/identity/stored-tokens';
import type { RuntimeRegistry } from '@catalog/consumer/runtime/runtime-registry';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { openClient } from '@catalog/sdk/client';
import { startFaultyProxy, type FaultyProxy, type ProxyFault } from '@catalog/testkit/faulty-proxy';
import { createRuntimePlace, type RuntimePlace } from '@catalog/testkit/runtime-place';
import { writeTree } from '@catalog/testkit/temporary-folder';
import type { Answer, Cell, Fault, Tool } from './table.ts';

const ID = 'ops/rollout';
const OTHER = 'ops/rollback';
/** The registry has both versions. */
const VERSION = '2.0.0';
const OTHER_VERSION = '1.0.0';

export function writeLayer(folder: string): void {
  writeTree(folder, {
    'ops/DOMAIN.md': '---\ndescription: Keeping the fleet running.\n---\n',
    ...artifact('rollout', OTHER_VERSION),
    ...artifact('rollback', VERSION),
  });
}

export async function publishVersion(folder: string, registry: string): Promise<void> {
  writeTree(folder, artifact('rollout', VERSION));
  const client = openClient({ registry });
  for (const { id } of (await client.listLayers()).layers) await client.reingestLayer({ id });
}

function artifact(name: string, version: string): Record<string, string> {
  const text = `---\ntype: context\nversion: ${version}\ndescription: How to ${name} the fleet.\n---\nThe text of ${name}.\n`;
  return { [`ops/${name}/ARTIFACT.md`]: text };
}

export interface PreparedCell {
  cell: Cell;
  call(): Promise<Outcome>;
  close(): Promise<void>;
}

export interface Outcome {
  answer: Answer;
  ms: number;
}

export async function prepareCell(
  cell: Cell,
  registry: string,
  folder: string,
  limits: { discovery_ms: number; load_ms: number },
): Promise<PreparedCell> {
  mkdirSync(folder, { recursive: true });
  const proxy = await startFaultyProxy(registry);
  const place = createRuntimePlace(folder, proxy.url);
  if (cell.cached) await fillCache(place);
  const requestsBefore = proxy.paths.length;
  await play(proxy, cell.fault);
  // The registry does not authenticate callers; the token is only required to exist.
  const env = { CATALOG_TOKEN: 'a.token.of-nobody' };
  const agent = place.open(cell.mode, {
    limits,
    ...(cell.fault === 'expired_token' ? { env } : {}),
  });
  return {
    cell,
    call: async () => {
      const started = performance.now();
      const answer = await answerOf(cell, agent);
      const ms = performance.now() - started;
      const contacted = cell.mode === 'offline-only' && proxy.paths.length > requestsBefore;
      return { answer: contacted ? { kind: 'error', code: 'the registry was asked' } : answer, ms };
    },
    close: () => proxy.close(),
  };
}

async function fillCache(place: RuntimePlace): Promise<void> {
  for (const env of [{}, { CATALOG_TOKEN: 'a.token.of-nobody' }]) {
    const agent = place.open('always-revalidate', { env });
    await agent.loadArtifact({ id: ID });
    await agent.loadArtifact({ id: ID, version: VERSION });
    await agent.loadDomain({});
  }
}

async function play(proxy: FaultyProxy, fault: Fault): Promise<void> {
  if (fault === 'down') await proxy.close();
  else proxy.fault = FAULTY[fault];
}

const FAULTY: Readonly<Record<Exclude<Fault, 'down'>, ProxyFault>> = {
  well: { kind: 'well' },
  hanging: { kind: 'hanging' },
  slow: { kind: 'slow', every_ms: 250 },
  cut: { kind: 'cut' },
  truncating: { kind: 'truncating' },
  wrong_hash: {
    kind: 'changing',
    change: (body) => body.replace('The text of rollout', 'The test of rollout'),
  },
  other_artifact: {
    kind: 'asking',
    path: (path) =>
      path.startsWith('/v1/load_artifact')
        ? path.replace(encodeURIComponent(ID), encodeURIComponent(OTHER))
        : path,
  },
  other_version: { kind: 'asking', path: (path) => path.replace(VERSION, OTHER_VERSION) },
  expired_token: {
    kind: 'answering',
    status: 401,
    body: new CatalogError('auth.token_expired', 'The token has expired.').toEnvelope(),
  },
};

async function answerOf(cell: Cell, agent: RuntimeRegistry): Promise<Answer> {
  try {
    const value: unknown = await ASK[cell.tool](agent);
    return describe(value, cell.tool);
  } catch (error) {
    const code = error instanceof CatalogError ? error.code : String(error);
    return { kind: 'error', code };
  }
}

const ASK: Readonly<Record<Tool, (agent: RuntimeRegistry) => Promise<object>>> = {
  load_domain: (agent) => agent.loadDomain({ path: 'ops' }),
  search_domains: (agent) => agent.searchDomains({ query: 'fleet' }),
  search_artifacts: (agent) => agent.searchArtifacts({ query: 'rollout' }),
  load_artifact: (agent) => agent.loadArtifact({ id: ID, version: VERSION }),
};

/** Classifies a result: `silent` and `fresh` are identical. */
function describe(value: unknown, tool: Tool): Answer {
  if (!isRecord(value)) return { kind: 'error', code: 'no answer' };
  const holds = JSON.stringify(value).includes(tool === 'search_domains' ? '"ops"' : ID);
  const { status, served_from_cache } = value;
  if (status === 'offline' && served_from_cache === true && holds) return { kind: 'cached' };
  if (status === 'offline' && served_from_cache === undefined && !holds) return { kind: 'empty' };
  if (status === undefined && served_from_cache === undefined && holds) return { kind: 'fresh' };
  return {
    kind: 'error',
    code: `status ${String(status)}, from cache ${String(served_from_cache)}`,
  };
}
