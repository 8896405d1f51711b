import type { HarnessAdapter } from '../adapter.ts';
import type { MarketplaceFormat } from './format.ts';

export interface Filling {
  format: MarketplaceFormat;
  landing: HarnessAdapter | undefined;
  /** Readers of the format, by their names in `target_harnesses`. */
  readers: readonly string[];
}

/** Returns true if a reader rejects a skill with a key outside the open specification. */
export function requiresOpenSkill({ format, landing, readers }: Filling): boolean {
  const { keys } = format.components.skill;
  if (keys !== 'open-for-others') return keys === 'open';
  return readers.some((reader) => reader !== landing?.id && reader !== landing?.label);
}
