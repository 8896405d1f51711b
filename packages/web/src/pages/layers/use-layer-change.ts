import type { IngestJob, IngestJobs } from '@catalog/contract/records/ingest';
import type { Layer } from '@catalog/contract/records/layer';
import {
  useMutation,
  useQueryClient,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { LAYER_KEYS } from '../../api/changes.ts';

export function useLayerChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
): UseMutationResult<Output, Error, Input> {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => refresh(client) });
}

/** Refreshes everything that depends on layers, if an ingest has ended since. */
export function useRefreshAfterIngest(
  layers: readonly Layer[],
  { data, dataUpdatedAt }: Pick<UseQueryResult<IngestJobs>, 'data' | 'dataUpdatedAt'>,
): void {
  const client = useQueryClient();
  const isOutdated = layers.some((layer) => hasIngestedSince(layer, data?.ingests ?? []));
  useEffect(() => {
    // Refreshing the ingests too would cause a loop, because they are polled.
    if (isOutdated && dataUpdatedAt > 0) void refresh(client, LAYER_KEYS_WITHOUT_INGESTS);
  }, [client, isOutdated, dataUpdatedAt]);
}

/** Returns true if the latest ingest of a layer began after the last known one. */
export function hasIngestedSince(
  { id, last_ingested_at }: Pick<Layer, 'id' | 'last_ingested_at'>,
  ingests: readonly Pick<IngestJob, 'layer' | 'state' | 'started_at'>[],
): boolean {
  const latest = ingests.find(({ layer }) => layer === id);
  if (latest?.state !== 'done' || latest.started_at === undefined) return false;
  return last_ingested_at === undefined || last_ingested_at < latest.started_at;
}

const LAYER_KEYS_WITHOUT_INGESTS = LAYER_KEYS.filter((key) => key !== 'ingests');

function refresh(client: QueryClient, keys = LAYER_KEYS): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [first] }) => typeof first === 'string' && keys.includes(first),
  });
}
