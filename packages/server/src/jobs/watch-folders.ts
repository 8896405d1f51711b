import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { followTree } from '@catalog/core/node/follow-tree';
import { createTrigger } from '@catalog/core/node/trigger';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { Tenant } from '@catalog/core/ports/tenant';
import { requestIngest } from '../registry/ingest/request-ingest.ts';
import { mayIngest } from '../registry/layers/declared-sources.ts';
import type { Registry } from '../registry/registry.ts';

export interface FolderWatchOptions {
  /** Called if a folder cannot be watched and is polled instead. */
  onFallback: (layer: string, cause: unknown) => void;
  /** Called once per failed edit, regardless of the number of retries. */
  onFailure: (cause: unknown) => void;
}

export interface FolderWatch {
  /** Resolves when the folders of all existing layers are watched. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** Delays after a change: an editor writes a file in several steps (SPEC-51). */
const TIMES = { debounce_ms: 100, longest_ms: 1000 };
/** Pause before a retry, because the database may be unavailable. */
const RETRY_MS = 1000;
const FOLDERS_AT_ONCE = 200;

interface WatchedLayer {
  tenant: Tenant;
  root: string;
  stop: AbortController;
  look: () => void;
  ended: Promise<void>;
}

/**
 * Watches the folders of all local layers, also of new ones, and requests an ingest after each burst of edits
 * (SPEC-51). Every process watches independently, and concurrent requests are merged.
 */
export function watchFolders(registry: Registry, options: FolderWatchOptions): FolderWatch {
  const { onFailure } = options;
  const watched = new Map<string, WatchedLayer>();
  const revisions = new Map<Tenant, number>();
  let following: Promise<void> = Promise.resolve();
  let isUpdatePending = false;
  let closed = false;
  let started = false;

  function follow(): Promise<void> {
    if (isUpdatePending) return following;
    isUpdatePending = true;
    following = following.then(updateWatched).catch(onFailure);
    return following;
  }

  async function updateWatched(): Promise<void> {
    isUpdatePending = false;
    const tenants = await registry.store.tenants.listWatched();
    forgetInactive(new Set(tenants.map(({ tenant }) => tenant)));
    for (const { tenant, revision } of tenants) {
      if (closed || revisions.get(tenant) === revision) continue;
      const layers = await registry.store.layers.list(tenant);
      const known: LayerRecord[] = [];
      for (const layer of layers) if (await isRead(registry, tenant, layer)) known.push(layer);
      if (known.length === layers.length) revisions.set(tenant, revision);
      followLayers(tenant, known);
    }
  }

  /** Drops inactive tenants and those without folders. If a tenant is active again, all of its folders are checked. */
  function forgetInactive(active: ReadonlySet<Tenant>): void {
    for (const tenant of revisions.keys()) if (!active.has(tenant)) revisions.delete(tenant);
    for (const { tenant } of watched.values()) if (!active.has(tenant)) followLayers(tenant, []);
  }

  function followLayers(tenant: Tenant, layers: readonly LayerRecord[]): void {
    if (closed) return;
    const wanted = new Map<string, { root: string; id: string }>();
    for (const layer of layers) {
      const root = folderOf(layer);
      if (root === undefined || !mayIngest(registry, tenant, layer)) continue;
      wanted.set(`${tenant}/${layer.number}`, { root, id: layer.id });
    }
    for (const [key, layer] of watched) {
      if (layer.tenant !== tenant || wanted.get(key)?.root === layer.root) continue;
      layer.stop.abort();
      watched.delete(key);
    }
    for (const [key, { root, id }] of wanted) {
      if (watched.has(key)) continue;
      const layer = watchLayer(registry, tenant, id, root, options);
      watched.set(key, layer);
      // At startup, all layers are ingested anyway.
      if (started) layer.look();
    }
  }

  async function start(): Promise<void> {
    await follow();
    started = true;
  }

  const stopListening = registry.store.onCommit(() => void follow());
  return {
    ready: start(),
    close: async () => {
      closed = true;
      stopListening();
      await following;
      for (const { stop } of watched.values()) stop.abort();
      await Promise.all([...watched.values()].map(({ ended }) => ended));
    },
  };
}

function folderOf({ source_type, local_path, root }: LayerRecord): string | undefined {
  return source_type === 'local' ? join(local_path, root) : undefined;
}

/** Returns true after the first ingest of a layer: reading and watching a folder at the same time is slow. */
async function isRead(registry: Registry, tenant: Tenant, layer: LayerRecord): Promise<boolean> {
  if (layer.last_ingested_at !== null || layer.source_type !== 'local') return true;
  const [latest] = await registry.store.jobs.list(tenant, layer.id, 1);
  return latest === undefined || latest.state === 'done' || latest.state === 'failed';
}

function watchLayer(
  registry: Registry,
  tenant: Tenant,
  layer_id: string,
  root: string,
  { onFallback, onFailure }: FolderWatchOptions,
): WatchedLayer {
  const stop = new AbortController();
  const trigger = createTrigger(TIMES);
  const tree = followTree(
    root,
    () => trigger.fire(),
    (cause) => onFallback(layer_id, cause),
    FOLDERS_AT_ONCE,
  );
  let isFailing = false;
  async function queueIngest(): Promise<void> {
    const wanted = { layer_id, full: false, trigger: 'files' } as const;
    await registry.store.transaction(async (writes) => {
      const layer = await writes.layers.get(tenant, layer_id);
      // Another layer may have the same id now.
      if (layer === undefined || folderOf(layer) !== root) return;
      await requestIngest(registry, writes, tenant, wanted);
    });
  }
  async function ingestAfterEdits(): Promise<void> {
    for (;;) {
      await trigger.settled(stop.signal);
      if (stop.signal.aborted) return;
      try {
        await queueIngest();
        isFailing = false;
      } catch (cause) {
        if (!isFailing) onFailure(cause);
        isFailing = true;
        await delay(RETRY_MS, undefined, { signal: stop.signal, ref: false }).catch(() => {});
        trigger.fire();
      }
    }
  }
  const ended = ingestAfterEdits().finally(() => tree.close());
  return { tenant, root, stop, look: () => trigger.fire(), ended };
}
