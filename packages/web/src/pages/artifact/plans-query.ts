import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import type { Artifact } from '@catalog/core/artifact/types';
import { queryOptions } from '@tanstack/react-query';

export function plansQuery(
  { id, content_hash }: Pick<ArtifactRecord, 'id' | 'content_hash'>,
  artifact: Artifact | undefined,
) {
  return queryOptions({
    queryKey: ['plans', id, content_hash],
    queryFn: async () => {
      const { planHarnesses } = await import('../../lazy/plan-harnesses.ts');
      return artifact === undefined ? [] : planHarnesses(artifact);
    },
    enabled: artifact !== undefined,
    staleTime: Infinity,
  });
}
