import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Discovery } from '@catalog/consumer/discover/discovery';
import { openDiscovery } from '@catalog/consumer/discover/open-discovery';
import type { Session } from '../command/session.ts';
import { toConfigFlags, toConfigInput } from './config-flags.ts';
import { signInOnFirstUse } from './identity/first-use.ts';

export function loadDiscovery(
  session: Session,
  flags: { registry?: string | undefined },
): Promise<Discovery> {
  const config = loadConfig(toConfigInput(session, toConfigFlags(flags)));
  return openDiscovery(config, { signIn: signInOnFirstUse(config, session) });
}
