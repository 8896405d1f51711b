import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { openClient } from '@catalog/sdk/client';
import type { Connection } from '@catalog/sdk/connection';
import { type DomainNote, recordDomains } from '../cache/domain-notes.ts';
import type { Viewer } from '../cache/manifest-cache.ts';
import { openPackageCache } from '../cache/package-cache.ts';
import { recordNotFound, recordServed } from '../cache/response-index.ts';
import { loadOnline } from './load-online.ts';
import { toLoaded } from './loaded-artifact.ts';
import type { Limits } from './runtime-options.ts';
import type { SignatureVerifier } from '../signing/signature-verifier.ts';
import type { RuntimeRegistry } from './runtime-registry.ts';
import { withinTime } from './within-time.ts';
import type {
  DomainMapRecord,
  DomainSearchResponse,
  Subdomain,
} from '@catalog/contract/records/discovery';
import { titleOf } from '@catalog/core/domain/domain-path';

export interface OnlineOptions {
  connection: Connection;
  cache_folder: string;
  viewer: (signal?: AbortSignal) => Promise<Viewer>;
  limits: Limits;
  verifier: SignatureVerifier;
}

export function openOnlineRegistry(options: OnlineOptions): RuntimeRegistry {
  const { connection, cache_folder, limits, viewer, verifier } = options;
  const { registry } = connection;
  const client = openClient(connection);
  const cache = openPackageCache(cache_folder);

  /** Runs a request and caches the response, unless the caller changed in between. */
  async function runAndCache<T>(
    signal: AbortSignal,
    sendRequest: () => Promise<T>,
    keep: (answer: T, viewer: Viewer) => void,
  ): Promise<T> {
    const before = await viewer(signal);
    const answer = await sendRequest();
    const after = await viewer(signal);
    if (after.subject === before.subject) keep(answer, after);
    return answer;
  }

  return {
    loadDomain: (input, signal) =>
      withinTime(registry, limits.discovery_ms, signal, (own) =>
        runAndCache(
          own,
          () => client.loadDomain(input, own),
          (map, who) => recordDomains(cache_folder, who, domainsOfMap(map)),
        ),
      ),
    searchDomains: (input, signal) =>
      withinTime(registry, limits.discovery_ms, signal, (own) =>
        runAndCache(
          own,
          () => client.searchDomains(input, own),
          (answer, who) => recordDomains(cache_folder, who, domainsOfSearch(answer)),
        ),
      ),
    searchArtifacts: (input, signal) =>
      withinTime(registry, limits.discovery_ms, signal, (own) =>
        client.searchArtifacts(input, own),
      ),
    loadArtifact: (question, signal) =>
      withinTime(registry, limits.load_ms, signal, async (own, extend) => {
        const { id, version = '' } = question;
        const loading = { client, connection, cache, verifier, onArrival: extend };
        try {
          const { seen, artifact } = await runAndCache(
            own,
            () => loadOnline(question, loading, own),
            (served, who) => {
              const requested = version === '' ? 'latest' : 'version';
              recordServed(cache_folder, who, served.seen, requested);
            },
          );
          return toLoaded(seen, artifact);
        } catch (error) {
          if (isGone(error)) recordNotFound(cache_folder, await viewer(own), id, version);
          throw error;
        }
      }),
  };
}

const GONE: ReadonlySet<string> = new Set(['registry.not_found', 'visibility.denied']);

function isGone(error: unknown): boolean {
  return error instanceof CatalogError && GONE.has(error.code);
}

function domainsOfMap({ path, description, keywords, subdomains }: DomainMapRecord): DomainNote[] {
  return [{ path, description, keywords }, ...subdomains.flatMap(flatten)].filter(isDescribed);
}

function flatten({ path, description, subdomains = [] }: Subdomain): DomainNote[] {
  return [{ path, description, keywords: [] }, ...subdomains.flatMap(flatten)];
}

function domainsOfSearch({ domains }: DomainSearchResponse): DomainNote[] {
  return domains
    .map(({ path, description, keywords }) => ({ path, description, keywords }))
    .filter(isDescribed);
}

/** Returns false if the description of a domain is only its name, which is useless for a search. */
function isDescribed({ path, description, keywords }: DomainNote): boolean {
  if (path === '') return false;
  return keywords.length > 0 || (description !== '' && description !== titleOf(path));
}
