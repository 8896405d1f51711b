import { repoHost } from '@catalog/core/layer/classify-repo';
import type { LayerSource, ReachedLayer } from '@catalog/core/ports/layer-source';
import type { Tenant } from '@catalog/core/ports/tenant';
import { UnresponsiveHost } from '@catalog/core/ports/unresponsive-host';

export interface WatchedGitHosts {
  source: LayerSource;
  /**
   * Rejects if a git host did not respond to its last request. An unavailable host is tried again at most once a
   * minute.
   */
  check(signal: AbortSignal): Promise<void>;
}

interface FailedHost {
  tenant: Tenant;
  layer: ReachedLayer;
  failed_at: number;
  asked_at: number;
}

const REPROBE_MS = 60_000;
const FORGET_MS = 3_600_000;

/**
 * Tracks whether git hosts respond. Ignores the hosts of personal layers, because any user could name a host that does
 * not exist.
 */
export function watchGitHosts(source: LayerSource, monotonicMs: () => number): WatchedGitHosts {
  const failed = new Map<string, FailedHost>();

  async function record<Result>(
    tenant: Tenant,
    layer: ReachedLayer,
    work: Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const host = countedHost(layer);
    try {
      const result = await work;
      failed.delete(host);
      return result;
    } catch (error) {
      if (signal.aborted) throw error;
      const now = monotonicMs();
      if (!(error instanceof UnresponsiveHost)) failed.delete(host);
      else if (host !== '') failed.set(host, { tenant, layer, failed_at: now, asked_at: now });
      throw error;
    }
  }

  async function reprobe(signal: AbortSignal): Promise<void> {
    const now = monotonicMs();
    for (const [host, known] of failed) {
      if (now - known.failed_at > FORGET_MS) failed.delete(host);
      else if (now - known.asked_at > REPROBE_MS) {
        known.asked_at = now;
        await source.probe(known.tenant, known.layer, signal).then(
          () => failed.delete(host),
          (error: unknown) => {
            const isSilent = signal.aborted || error instanceof UnresponsiveHost;
            if (!isSilent) failed.delete(host);
          },
        );
      }
    }
  }

  return {
    source: {
      read: (tenant, layer, request, signal) =>
        record(tenant, layer, source.read(tenant, layer, request, signal), signal),
      probe: (tenant, layer, signal) =>
        record(tenant, layer, source.probe(tenant, layer, signal), signal),
    },
    async check(signal) {
      await reprobe(signal);
      const [host] = failed.keys();
      if (host !== undefined) throw new Error(`${host} did not respond`);
    },
  };
}

/** Returns the host of a layer, or an empty string if its failures are ignored. */
function countedHost({ repo, user_defined }: ReachedLayer): string {
  return user_defined ? '' : (repoHost(repo) ?? '');
}
