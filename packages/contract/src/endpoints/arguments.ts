import { z } from 'zod';

/** Maximum length, far above any legitimate value. */
export const text = z.string().max(4096);

/** Domain path or id prefix. Leading and trailing slashes are ignored. */
export const path = z
  .string()
  .max(1024)
  .transform((value) => value.replace(/^\/+|\/+$/g, ''));

export const paths = z
  .string()
  .max(4096)
  .transform((value) =>
    value
      .split(',')
      .map((each) => each.trim().replace(/^\/+|\/+$/g, ''))
      .filter((each) => each !== '')
      .join(','),
  );

/** Session id chosen by the client, usually a UUID. */
export const sessionId = z
  .string()
  .min(1)
  .max(128)
  .describe('Pins `latest`: within a session, an artifact keeps the version of its first lookup.');

export const artifactArgument = text
  .min(1)
  .meta({ description: 'Artifact id.', examples: ['ops/deploy/check'] });

/** Flag in a query; an empty value means false. */
export const flag = z
  .enum(['1', 'true', '0', 'false', ''])
  .default('')
  .transform((value) => value === '1' || value === 'true');

export const asAdmin = flag.describe(
  'Include every layer regardless of visibility; administrators only.',
);
