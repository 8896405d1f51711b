import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { secretBytes } from '@catalog/core/webhook/sign-dispatch';

/** Minimum length of a secret in Standard Webhooks. */
const MIN_BYTES = 24;

/** Rejects a short secret, which could be guessed. Stored secrets stay valid. */
export function requireLongSecret(secret: string): void {
  const bytes = secretBytes(secret);
  if (bytes >= MIN_BYTES) return;
  throw new CatalogError(
    'registry.invalid_argument',
    `The secret has ${bytes} bytes; it must have at least ${MIN_BYTES}.`,
    {
      details: { argument: 'secret', constraint: 'too_short' },
      suggested_action:
        'Leave the secret out to have one generated, or use `whsec_` and the output of `openssl rand -base64 32`.',
    },
  );
}
