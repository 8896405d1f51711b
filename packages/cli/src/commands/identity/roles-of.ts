import type { Recognized } from '@catalog/consumer/identity/who-am-i';

export function rolesOf({ admin, operator }: Pick<Recognized, 'admin' | 'operator'>): string[] {
  return [...(admin ? ['admin'] : []), ...(operator ? ['operator'] : [])];
}
