import { z } from 'zod';

/** Any text argument; longer ones are mistakes or attacks. */
export const text = z.string().max(4096);

/** A domain path or id prefix; slashes around it mean nothing. */
export const path = z
  .string()
  .max(1024)
  .transform((value) => value.replace(/^\/+|\/+$/g, ''));

/** Paths separated by commas. */
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

/** Opaque; clients send a UUID. */
export const sessionId = z
  .string()
  .min(1)
  .max(128)
  .describe('Pins `latest`: within a session, an artifact keeps the version of its first lookup.');

/** The id of an artifact. */
export const artifactArgument = text
  .min(1)
  .meta({ description: 'Artifact id.', examples: ['ops/deploy/check'] });

/** `1` or `true` switches on; anything but that, `0` and `false` is refused. */
export const flag = z
  .enum(['1', 'true', '0', 'false', ''])
  .default('')
  .transform((value) => value === '1' || value === 'true');

/** See every layer, whatever its visibility. */
export const asAdmin = flag.describe(
  'Include every layer regardless of visibility; administrators only.',
);
