import type { HarnessAdapter } from '../adapter.ts';
import type { MarketplaceFormat } from './format.ts';

/** What fills plugins: a format, the adapter it takes its forms from, and who imports it. */
export interface Filling {
  format: MarketplaceFormat;
  landing: HarnessAdapter | undefined;
  /** Names `target_harnesses` may use for those who import it. */
  readers: readonly string[];
}

/** Whether a reader refuses a skill over a key that is not in the open specification. */
export function mustBeOpen({ format, landing, readers }: Filling): boolean {
  const { keys } = format.components.skill;
  if (keys !== 'open-for-others') return keys === 'open';
  return readers.some((reader) => reader !== landing?.id && reader !== landing?.label);
}
