import type { CallerIdentity } from '@catalog/consumer/identity/who-am-i';

export function rolesOf({ admin, operator }: Pick<CallerIdentity, 'admin' | 'operator'>): string[] {
  return [...(admin ? ['admin'] : []), ...(operator ? ['operator'] : [])];
}
