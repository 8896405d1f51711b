import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import { matchesPin, parsePin } from '@catalog/core/version/pin';
import type { RegistryClient } from '@catalog/sdk/client';
import { quoteServer } from '@catalog/sdk/quote-server';
import type { SeenArtifact } from '../cache/seen-index.ts';
import { filesOfRecord } from '../source/served-package.ts';
import { notFetched, takePackage, type Loading, type Taken } from '../source/take-package.ts';
import type { RuntimeRegistry } from './runtime-registry.ts';

export type LoadQuestion = Parameters<RuntimeRegistry['loadArtifact']>[0];

export interface OnlineLoading extends Loading {
  client: Pick<RegistryClient, 'loadArtifact'>;
  onArrival: () => void;
}

export interface LoadedOnline {
  seen: SeenArtifact;
  artifact: Artifact;
}

export async function loadOnline(
  question: LoadQuestion,
  loading: OnlineLoading,
  signal: AbortSignal,
): Promise<LoadedOnline> {
  const first = await take(question, loading, signal);
  // URLs of large files expire within minutes, and earlier downloads may take longer.
  const { seen, taken } =
    first.taken.kind === 'taken' ? first : await take(question, loading, signal);
  if (taken.kind === 'unfetched') throw notFetched(seen, taken);
  loading.cache.flush();
  return { seen, artifact: taken.artifact };
}

async function take(
  { onProgress = () => undefined, ...question }: LoadQuestion,
  { client, onArrival, ...loading }: OnlineLoading,
  signal: AbortSignal,
): Promise<{ seen: SeenArtifact; taken: Taken }> {
  const record = await client.loadArtifact(question, signal);
  onArrival();
  refuseOther(record, question);
  const seen = toSeen(record);
  const taken = await takePackage(seen, filesOfRecord(record), loading, signal, (done, total) => {
    onArrival();
    onProgress(done, total);
  });
  return { seen, taken };
}

function refuseOther(record: ArtifactRecord, { id, version = '' }: LoadQuestion): void {
  if (record.id === id && matchesPin(parsePin(version), record)) return;
  const wanted = version === '' ? id : `${id} ${version}`;
  throw new CatalogError(
    'materialize.content_hash_mismatch',
    `${wanted} was requested, but the registry returned ${quoteServer(`${record.id} ${record.version}`)}; nothing was written.`,
    { details: { artifact_id: id, version } },
  );
}

function toSeen(record: ArtifactRecord): SeenArtifact {
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
