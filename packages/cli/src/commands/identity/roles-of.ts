import type { Recognized } from '@catalog/consumer/identity/who-am-i';

/** The roles somebody holds, by name; most people hold none. */
export function rolesOf({ admin, operator }: Pick<Recognized, 'admin' | 'operator'>): string[] {
  return [...(admin ? ['admin'] : []), ...(operator ? ['operator'] : [])];
}
