import type { Line } from '../../output/text.ts';

export function secretLines(secret: string): Line[] {
  return ['', `Secret: ${secret}`, 'Store it now. It is not shown again.'];
}
