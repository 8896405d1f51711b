import type { Line } from '../../output/text.ts';

/** Shows a secret that the registry does not return again. */
export function secretLines(secret: string): Line[] {
  return ['', `Secret: ${secret}`, 'Store it now. It is not shown again.'];
}
