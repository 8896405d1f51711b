import { artifactArgument } from '@catalog/contract/endpoints/arguments';
import type { Endpoint } from '@catalog/contract/endpoints/endpoint';
import { batchLoadBody } from '@catalog/contract/records/artifact';
import { purgeBody } from '@catalog/contract/records/purge';
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
  if (body === purgeBody) {
    return (call) => ({ artifact: toLogged(memberOf(call.body, 'id')) });
  }
  return undefined;
}

function idsOf(body: unknown): readonly unknown[] {
  const ids = memberOf(body, 'ids');
  return Array.isArray(ids) ? ids : [];
}

function memberOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

function toLogged(id: unknown): string {
  return String(id).slice(0, MAX_LOGGED_ID);
}
