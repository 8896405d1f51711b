import { artifactArgument } from '@catalog/contract/endpoints/arguments';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { batchLoadBody } from '@catalog/contract/records/artifact';
import type { Call } from './route.ts';

export interface NamedArtifacts {
  artifact?: string;
  artifacts?: readonly string[];
}

export type ArtifactReader = (call: Pick<Call, 'query' | 'body'>) => NamedArtifacts;

/** Maximum length of a logged id; callers can send longer values. */
const MAX_LOGGED_ID = 512;

/** Returns a function that reads the artifact ids of a request; undefined for endpoints without any. */
export function artifactReader({ query, body }: Endpoint): ArtifactReader | undefined {
  if (query?.shape['id'] === artifactArgument) {
    return (call) => ({ artifact: toLogged(call.query?.['id']) });
  }
  if (body === batchLoadBody) {
    return (call) => ({ artifacts: idsOf(call.body).map(toLogged) });
  }
  return undefined;
}

function idsOf(body: unknown): readonly unknown[] {
  const ids = typeof body === 'object' && body !== null && 'ids' in body ? body.ids : undefined;
  return Array.isArray(ids) ? ids : [];
}

function toLogged(id: unknown): string {
  return String(id).slice(0, MAX_LOGGED_ID);
}
