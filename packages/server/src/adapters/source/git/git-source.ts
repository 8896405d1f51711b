import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type {
  LayerSource,
  SourceCopies,
  SourceReading,
  SourceRequest,
} from '@catalog/core/ports/layer-source';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { UnresponsiveHost } from '@catalog/core/ports/unresponsive-host';
import { DamagedRepository } from './damaged-repository.ts';
import { initRepository } from './fetch.ts';
import { unresponsive } from './fetch-problem.ts';
import { listPacks, packedBytes, type GitProgram } from './git-program.ts';
import type { GitOptions } from './git-options.ts';
import { prepareHost, type PreparedHost } from './prepare-host.ts';
import { probeRemote } from './probe-remote.ts';
import { prepareRemote } from './remote.ts';
import { readRepository } from './read-repository.ts';
import { repackRepository } from './repack-repository.ts';
import { unreachable } from '../unreachable.ts';

export interface GitSource extends LayerSource {
  copies: SourceCopies;
  close(): Promise<void>;
}

export function createGitSource(options: GitOptions): GitSource {
  const stop = new AbortController();
  const turns = createRepositoryLocks();
  let host: Promise<PreparedHost> | undefined;

  async function loadHost(
    layer: Pick<LayerRecord, 'id'>,
  ): Promise<PreparedHost & { kind: 'ready' }> {
    host ??= prepareHost(options, stop.signal);
    const prepared = await host.catch((cause: unknown) => {
      host = undefined;
      throw unreachable(
        layer,
        'the registry host is not set up to read git',
        'Ask an operator to check git.folder and ca_file; the log contains the reason.',
        cause,
      );
    });
    if (prepared.kind === 'ready') return prepared;
    throw unreachable(layer, prepared.what, 'Install git 2.37 or later on the registry host.');
  }

  return {
    read: async (tenant, layer, request, signal) => {
      const { git, options: ready } = await loadHost(layer);
      const folder = folderOf(ready, tenant, layer);
      const { time_ms, personal_time_ms } = options.limits;
      const late = AbortSignal.timeout(layer.user_defined ? personal_time_ms : time_ms);
      const within = AbortSignal.any([signal, stop.signal, late]);
      try {
        return await turns.take(
          dirname(folder),
          () => readLayer({ git, options: ready, folder, tenant, layer, request }, within),
          () => repackRepository(git, folder, stop.signal),
        );
      } catch (cause) {
        signal.throwIfAborted();
        throw late.aborted ? tooSlow(layer) : cause;
      }
    },
    probe: async (tenant, layer, signal) => {
      const { git, options: ready } = await loadHost(layer);
      const late = AbortSignal.timeout(options.limits.probe_time_ms);
      const within = AbortSignal.any([signal, stop.signal, late]);
      return probeRemote(git, ready, tenant, layer, within).catch((cause: unknown) => {
        signal.throwIfAborted();
        throw late.aborted ? unresponsive(layer, new Error('timed out')) : cause;
      });
    },
    copies: {
      list: () => listCopies(options.folder),
      remove: (tenant, layer) => {
        const folder = layerFolder(options.folder, tenant, layer);
        const removed = (): Promise<void> => rm(folder, { recursive: true, force: true });
        return turns.take(folder, removed, async () => {});
      },
    },
    close: async () => {
      stop.abort();
      await turns.ended();
    },
  };
}

interface RepositoryLocks {
  /**
   * Runs `work` under the lock of a local repository. `afterwards` runs under the same lock, but the caller does not
   * wait for it.
   */
  take<Result>(
    folder: string,
    work: () => Promise<Result>,
    afterwards: () => Promise<void>,
  ): Promise<Result>;
  ended(): Promise<void>;
}

function createRepositoryLocks(): RepositoryLocks {
  const last = new Map<string, Promise<void>>();
  return {
    take: async (folder, work, afterwards) => {
      const result = (last.get(folder) ?? Promise.resolve()).then(work);
      const turn = result
        .then(afterwards, () => {})
        .then(() => {
          if (last.get(folder) === turn) last.delete(folder);
          return undefined;
        });
      last.set(folder, turn);
      return result;
    },
    ended: async () => {
      await Promise.all(last.values());
    },
  };
}

interface LayerReadRequest {
  git: GitProgram;
  options: GitOptions;
  folder: string;
  tenant: Tenant;
  layer: LayerRecord;
  request: SourceRequest;
}

/** Reads a layer. If the local repository may be damaged, clones it again and retries once. */
async function readLayer(
  { git, options, folder, tenant, layer, request }: LayerReadRequest,
  signal: AbortSignal,
): Promise<SourceReading> {
  const { limits } = options;
  const remote = await prepareRemote(tenant, layer, options, signal);

  async function attempt(is_kept: boolean): Promise<SourceReading> {
    if (!is_kept) await recreateRepository(git, folder, layer, signal);
    const repository = { git, layer, folder, remote, is_kept, most_bytes: 2 * limits.bytes };
    try {
      const reading = await readRepository(repository, request, limits, signal);
      return { ...reading, copy_bytes: packedBytes(folder) };
    } catch (cause) {
      await removeUnfinished(folder, limits.bytes);
      const problem = problemOf(cause, layer, signal);
      if (!(problem instanceof DamagedRepository)) throw problem;
      if (!is_kept) throw problem.problem;
      return attempt(false);
    }
  }

  try {
    return await attempt(listPacks(folder).length > 0 && packedBytes(folder) <= limits.bytes);
  } finally {
    await remote.close();
  }
}

/** Removes unfinished packs, and repositories above the size limit: the next read cannot use either. */
async function removeUnfinished(folder: string, max_bytes: number): Promise<void> {
  const unfinished = listPacks(folder).filter((name) => name.startsWith('tmp_'));
  for (const name of unfinished) await rm(join(folder, 'objects/pack', name), { force: true });
  if (packedBytes(folder) > max_bytes) await rm(folder, { recursive: true, force: true });
}

function problemOf(cause: unknown, layer: LayerRecord, signal: AbortSignal): unknown {
  if (signal.aborted || cause instanceof CatalogError || cause instanceof DamagedRepository) {
    return cause;
  }
  return new DamagedRepository(
    unreachable(
      layer,
      'its repository could not be read',
      'Check the log of the registry for the reason, then ingest again.',
      cause,
    ),
  );
}

/** Creates an empty local repository and removes those of the same layer with other URLs. */
async function recreateRepository(
  git: GitProgram,
  folder: string,
  layer: LayerRecord,
  signal: AbortSignal,
): Promise<void> {
  const all = dirname(folder);
  for (const name of await readdir(all).catch(() => [])) {
    await rm(join(all, name), { recursive: true, force: true });
  }
  await initRepository(git, folder, layer, signal);
}

/**
 * Returns the name of the local repository, derived from the URL and the kind of layer. A layer therefore never uses
 * objects that were fetched from another URL or with other permissions.
 */
function folderOf({ folder }: GitOptions, tenant: Tenant, layer: LayerRecord): string {
  const whose = `${layer.user_defined ? 'personal' : 'admin'} ${layer.repo}`;
  const name = bytesHash(whose)
    .replace(/^sha256:/, '')
    .slice(0, 32);
  return join(layerFolder(folder, tenant, layer.number), name);
}

function layerFolder(folder: string, tenant: Tenant, layer: LayerNumber): string {
  return join(folder, String(tenant), String(layer));
}

async function listCopies(folder: string): Promise<{ tenant: Tenant; layer: LayerNumber }[]> {
  const copies = [];
  for (const tenant of await listNumbers(folder)) {
    for (const layer of await listNumbers(join(folder, String(tenant)))) {
      copies.push({ tenant, layer });
    }
  }
  return copies;
}

async function listNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

function tooSlow(layer: LayerRecord): CatalogError {
  return new UnresponsiveHost(
    layer.id,
    'its git host took longer than the timeout',
    `Try again later, or ask an operator to raise ${layer.user_defined ? 'ingest.personal_timeout' : 'ingest.timeout'}.`,
    new Error('timed out'),
  );
}
