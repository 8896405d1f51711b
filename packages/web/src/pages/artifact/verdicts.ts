import type { HarnessPlan } from '../../lazy/plan-harnesses.ts';

export const VERDICTS: Readonly<Record<HarnessPlan['verdict'], string>> = {
  native: 'as written',
  fallback: 'converted',
  'left-out': 'not meant for it',
  unsupported: 'not supported',
};
