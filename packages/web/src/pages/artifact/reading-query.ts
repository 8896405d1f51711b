import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { queryOptions } from '@tanstack/react-query';
import type { readRecord } from '../../lazy/read-record.ts';

/** Loads the parser while the artifact is being requested. */
export async function importReader(): Promise<typeof readRecord> {
  return (await import('../../lazy/read-record.ts')).readRecord;
}

export function readingQuery(record: ArtifactRecord) {
  return queryOptions({
    queryKey: ['reading', record.id, record.version, record.content_hash],
    queryFn: async () => {
      const read = await importReader();
      return read(record) ?? null;
    },
    staleTime: Infinity,
  });
}
