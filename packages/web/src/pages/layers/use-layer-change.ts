import type { IngestJob } from '@catalog/contract/records/ingest';
import {
  useMutation,
  useQueryClient,
  type QueryClient,
  type UseMutationResult,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { LAYER_KEYS } from '../../api/changes.ts';

/** Runs a change of layers and refreshes everything that depends on layers. */
export function useLayerChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
): UseMutationResult<Output, Error, Input> {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => refresh(client) });
}

/** Refreshes everything that depends on layers when the last running ingest ends. */
export function useRefreshAfterIngest(ingests: readonly IngestJob[] | undefined): void {
  const client = useQueryClient();
  const isRunning =
    ingests?.some(({ state }) => state === 'queued' || state === 'running') ?? false;
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) void refresh(client);
    wasRunning.current = isRunning;
  }, [client, isRunning]);
}

function refresh(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [first] }) => typeof first === 'string' && LAYER_KEYS.includes(first),
  });
}
