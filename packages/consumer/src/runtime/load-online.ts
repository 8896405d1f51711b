import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import { matchesPin, parsePin } from '@catalog/core/version/pin';
import type { RegistryClient } from '@catalog/sdk/client';
import { quoteServer } from '@catalog/sdk/quote-server';
import type { IndexedArtifact } from '../cache/response-index.ts';
import { filesOfRecord } from '../source/served-package.ts';
import {
  notFetched,
  fetchPackage,
  type Loading,
  type FetchResult,
} from '../source/fetch-package.ts';
import type { SignatureVerifier } from '../signing/signature-verifier.ts';
import type { RuntimeRegistry } from './runtime-registry.ts';

export type LoadRequest = Parameters<RuntimeRegistry['loadArtifact']>[0];

export interface OnlineLoading extends Loading {
  client: Pick<RegistryClient, 'loadArtifact'>;
  onArrival: () => void;
  verifier: SignatureVerifier;
}

export interface LoadedOnline {
  seen: IndexedArtifact;
  artifact: Artifact;
}

export async function loadOnline(
  load_request: LoadRequest,
  loading: OnlineLoading,
  signal: AbortSignal,
): Promise<LoadedOnline> {
  const first = await fetchArtifact(load_request, loading, signal);
  // URLs of large files expire within minutes, and downloads may take longer.
  const {
    seen,
    bundle,
    taken: fetched,
  } = first.taken.kind === 'taken' ? first : await fetchArtifact(load_request, loading, signal);
  if (fetched.kind === 'unfetched') throw notFetched(seen, fetched);
  loading.cache.flush();
  const { artifact } = fetched;
  await loading.verifier.verify([{ entry: seen, artifact, bundle }], signal);
  return { seen, artifact };
}

async function fetchArtifact(
  { onProgress = () => undefined, ...load_request }: LoadRequest,
  { client, onArrival, ...loading }: OnlineLoading,
  signal: AbortSignal,
): Promise<{ seen: IndexedArtifact; bundle: unknown; taken: FetchResult }> {
  const record = await client.loadArtifact(load_request, signal);
  onArrival();
  requireRequested(record, load_request);
  const seen = toSeen(record);
  const fetched = await fetchPackage(
    seen,
    filesOfRecord(record),
    loading,
    signal,
    (done, total) => {
      onArrival();
      onProgress(done, total);
    },
  );
  return { seen, bundle: record.signature, taken: fetched };
}

function requireRequested(record: ArtifactRecord, { id, version = '' }: LoadRequest): void {
  if (record.id === id && matchesPin(parsePin(version), record)) return;
  const wanted = version === '' ? id : `${id} ${version}`;
  throw new CatalogError(
    'materialize.content_hash_mismatch',
    `${wanted} was requested, but the registry returned ${quoteServer(`${record.id} ${record.version}`)}; nothing was written.`,
    { details: { artifact_id: id, version } },
  );
}

function toSeen(record: ArtifactRecord): IndexedArtifact {
  const { id, type, version, layer, content_hash, deprecated } = record;
  const { replaced_by, deprecation_warning } = record;
  return {
    id,
    type,
    version,
    layer,
    content_hash,
    deprecated,
    ...(replaced_by === undefined ? {} : { replaced_by }),
    ...(deprecation_warning === undefined ? {} : { deprecation_warning }),
  };
}
