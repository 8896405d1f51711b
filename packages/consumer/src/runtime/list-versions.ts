import { openClient } from '@catalog/sdk/client';
import type { Connection } from '@catalog/sdk/connection';
import type { ListVersions } from '../source/catalog-source.ts';
import type { Limits } from './runtime-options.ts';
import { withinTime } from './within-time.ts';

export function openListVersions({
  connection,
  limits,
}: {
  connection: Connection;
  limits: Limits;
}): ListVersions {
  const client = openClient(connection);
  return async (id, signal) => {
    const { versions } = await withinTime(connection.registry, limits.discovery_ms, signal, (own) =>
      client.listVersions({ id }, own),
    );
    return versions;
  };
}
