import type { Config } from '@catalog/consumer/config/types';
import type { SignIn } from '@catalog/consumer/identity/identity-options';
import type { Session } from '../../command/session.ts';

/**
 * Signs a person in who uses a registry for the first time (KEY-01). Only where somebody sits in front
 * of the terminal; everybody else is told about `catalog login` by the error. What it takes is loaded
 * when it comes to that.
 */
export function signInOnFirstUse(config: Config, session: Session): SignIn | undefined {
  if (!session.interactive) return undefined;
  return async (registry) => {
    const { signInNow } = await import('./sign-in-now.ts');
    await signInNow(registry, config, session);
  };
}
