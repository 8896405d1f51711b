import { existsSync } from 'node:fs';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config } from '@catalog/consumer/config/types';
import { getSignInState } from '@catalog/consumer/identity/sign-in-state';
import { chooseRoot } from '@catalog/consumer/materialize/choose-root';
import type { Session } from '../../../command/session.ts';
import { toConfigInput } from '../../config-flags.ts';
import type { ExaminedSettings } from './examination.ts';

/** What the server reads from its surroundings: `session` as the harness would have it. */
export async function examineSettings(session: Session): Promise<ExaminedSettings> {
  const { env } = session;
  const config = loadConfig(toConfigInput(session, {}));
  const { registry, cache, cache_mode, overlay } = config;
  const chosen = chooseRoot({
    destination: undefined,
    roots: [],
    materialize_root: env['CATALOG_MATERIALIZE_ROOT'] || undefined,
    surroundings: session,
  });
  return {
    registry: registry?.value,
    identity: await describeIdentity(config, session.signal),
    harness: env['CATALOG_HARNESS'] || 'none',
    cache_mode: cache_mode?.value ?? 'always-revalidate',
    cache: cache.value,
    overlay: overlay !== undefined && existsSync(overlay.value) ? overlay.value : undefined,
    writes_to: chosen.kind === 'root' ? chosen.root : undefined,
  };
}

/** As whom the registry is asked, as far as this machine knows. */
async function describeIdentity(config: Config, signal: AbortSignal): Promise<string> {
  const state = await getSignInState(config, signal);
  if (state.kind === 'signed-in')
    return `${state.subject ?? 'unknown user'}, token from ${state.source}`;
  return state.kind === 'unreadable' ? `not signed in: ${state.message}` : 'not signed in';
}
