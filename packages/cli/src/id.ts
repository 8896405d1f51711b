import { randomBytes } from 'node:crypto';
import { formatSecret, SECRET_BYTES } from '@catalog/core/webhook/sign-dispatch';

export function generateSecret(): string {
  return formatSecret(randomBytes(SECRET_BYTES));
}
