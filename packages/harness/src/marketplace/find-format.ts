import type { HarnessAdapter } from '../adapter.ts';
import { loadAdapter } from '../registry.ts';
import type { MarketplaceFormat } from './format.ts';
import { agentPlugins } from './formats/agent-plugins.ts';

/** Formats without a harness; a target lists them among its harnesses. */
const FURTHER_FORMATS: ReadonlyMap<string, MarketplaceFormat> = new Map([
  [agentPlugins.id, agentPlugins],
]);

export interface ChosenFormat {
  format: MarketplaceFormat;
  /** Ids and labels, as in `target_harnesses`. */
  readers: string[];
}

export interface WithoutFormat {
  harness: string;
  reason: string;
}

/** Finds the formats of harnesses; those with the same format share one (MKT-11). */
export function findFormats(
  harnesses: readonly string[],
  known?: ReadonlyMap<string, HarnessAdapter>,
): { formats: ChosenFormat[]; without: WithoutFormat[] } {
  const formats = new Map<string, ChosenFormat>();
  const without: WithoutFormat[] = [];
  for (const harness of harnesses) {
    const further = FURTHER_FORMATS.get(harness);
    const adapter = further === undefined ? loadAdapter(harness, 'workspace', known) : undefined;
    const format = further ?? adapter?.marketplace;
    if (format === undefined || 'refused' in format) {
      const reason = format?.refused ?? `${harness} imports nothing from a git repository`;
      without.push({ harness, reason });
      continue;
    }
    const chosen = formats.get(format.id) ?? { format, readers: [] };
    chosen.readers.push(harness, adapter?.label ?? harness);
    formats.set(format.id, chosen);
  }
  return { formats: [...formats.values()], without };
}
