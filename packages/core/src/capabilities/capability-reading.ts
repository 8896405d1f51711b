import type { Json } from '../json.ts';
import type { ExecutableCapability } from './capability.ts';

export interface Reading {
  capabilities: ExecutableCapability[];
  mentions: Json[];
}

export function joinReadings(readings: readonly Reading[]): Reading {
  return {
    capabilities: readings.flatMap(({ capabilities }) => capabilities),
    mentions: readings.flatMap(({ mentions }) => mentions),
  };
}
