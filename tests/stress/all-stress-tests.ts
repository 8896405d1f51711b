import { ownership } from './ownership/ownership.ts';
import type { StressTest } from './stress-test.ts';
import { trust } from './trust/trust.ts';

export const allStressTests: readonly StressTest[] = [ownership, trust];
