import type { Posture } from '@catalog/contract/records/access';
import { reportState } from '../api/registry-state.ts';

/** Returns the body of a response; a promise delays it. */
type Responder = (query: URLSearchParams) => unknown;

export interface StubRegistry {
  /** State of the registry: `down` fails every request, `starting` responds like a proxy without a registry. */
  state: 'up' | 'starting' | 'down';
  /** Responses by path, such as `/v1/layers`; other paths return 404. */
  readonly routes: Record<string, Responder>;
  readonly requests: string[];
  restore: () => void;
}

const SESSION: Posture = {
  identity_provider_configured: false,
  public_mode: true,
  browser_auth: { enabled: false },
  layer_capabilities: { manage_any_layer: false },
};

export function stubRegistry(routes: Record<string, Responder>): StubRegistry {
  const real = globalThis.fetch;
  const registry: StubRegistry = {
    state: 'up',
    routes: { '/v1/ui/session': () => SESSION, ...routes },
    requests: [],
    restore: () => {
      globalThis.fetch = real;
      reportState({ reachable: true, read_only_lag_seconds: undefined, session_rejected: false });
    },
  };
  globalThis.fetch = async (input) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    registry.requests.push(url.pathname + url.search);
    if (registry.state === 'down') throw new TypeError('Failed to fetch');
    if (registry.state === 'starting') return new Response('Bad gateway', { status: 502 });
    const respond = registry.routes[url.pathname];
    if (respond === undefined) return new Response('{}', { status: 404 });
    return Response.json(await respond(url.searchParams));
  };
  return registry;
}
