import type { Json } from '../json.ts';
import type { ExecutableCapability } from './capability.ts';

/** What was found in one place. */
export interface Reading {
  capabilities: ExecutableCapability[];
  /** Commands and settings, which may name bundled files. */
  mentions: Json[];
}

export function joinReadings(readings: readonly Reading[]): Reading {
  return {
    capabilities: readings.flatMap(({ capabilities }) => capabilities),
    mentions: readings.flatMap(({ mentions }) => mentions),
  };
}
