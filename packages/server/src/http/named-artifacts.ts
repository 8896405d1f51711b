import { artifactArgument } from '@catalog/contract/endpoints/arguments';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { batchLoadBody } from '@catalog/contract/records/artifact';
import type { Call } from './route.ts';

/** Artifact ids in a request, as the access log has them. */
export interface NamedArtifacts {
  artifact?: string;
  artifacts?: readonly string[];
}

export type ArtifactReader = (call: Pick<Call, 'query' | 'body'>) => NamedArtifacts;

/** Longest artifact id; a caller can send more. */
const MAX_LOGGED_ID = 512;

/** Returns what reads the artifact ids of a request to this endpoint; undefined if requests name none. */
export function artifactReader({ query, body }: Endpoint): ArtifactReader | undefined {
  if (query?.shape['id'] === artifactArgument) {
    return (call) => ({ artifact: toLogged(call.query?.['id']) });
  }
  if (body === batchLoadBody) {
    return (call) => ({ artifacts: idsOf(call.body).map(toLogged) });
  }
  return undefined;
}

/** The contract has parsed the body. */
function idsOf(body: unknown): readonly unknown[] {
  const ids = typeof body === 'object' && body !== null && 'ids' in body ? body.ids : undefined;
  return Array.isArray(ids) ? ids : [];
}

function toLogged(id: unknown): string {
  return String(id).slice(0, MAX_LOGGED_ID);
}
