import { ownership } from './ownership/ownership.ts';
import type { StressTest } from './stress-test.ts';

export const allStressTests: readonly StressTest[] = [ownership];
