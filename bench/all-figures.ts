import type { Figure } from './figure.ts';
import { cliStart } from './figures/cli-start.ts';
import { manifestHostile } from './figures/manifest-hostile.ts';
import { syncCold } from './figures/sync-cold.ts';
import { syncKill } from './figures/sync-kill.ts';
import { syncNoop } from './figures/sync-noop.ts';
import { syncRace } from './figures/sync-race.ts';

/** Every claim about speed and faults the project makes. */
export const allFigures: readonly Figure[] = [
  cliStart,
  syncCold,
  syncNoop,
  syncKill,
  syncRace,
  manifestHostile,
];
