import type { Config } from '@catalog/consumer/config/types';
import type { SignIn } from '@catalog/consumer/identity/identity-options';
import type { Session } from '../../command/session.ts';

/**
 * Signs the user in on first use of a registry (KEY-01). Without a terminal, the error suggests
 * `catalog login`.
 */
export function signInOnFirstUse(config: Config, session: Session): SignIn | undefined {
  if (!session.interactive) return undefined;
  return async (registry) => {
    const { signInNow } = await import('./sign-in-now.ts');
    await signInNow(registry, config, session);
  };
}
