import type { Figure } from './figure.ts';
import { cliStart } from './figures/cli-start.ts';
import { ingestCold } from './figures/ingest-cold.ts';
import { ingestPush } from './figures/ingest-push.ts';
import { eventsFanout } from './figures/events-fanout.ts';
import { gitHostile } from './figures/git-hostile.ts';
import { growth } from './figures/growth.ts';
import { loadRate } from './figures/load-rate.ts';
import { manifestHostile } from './figures/manifest-hostile.ts';
import { parity } from './figures/parity.ts';
import { serveKill } from './figures/serve-kill.ts';
import { serveStart } from './figures/serve-start.ts';
import { searchSql } from './figures/search-sql.ts';
import { syncCold } from './figures/sync-cold.ts';
import { syncHttp } from './figures/sync-http.ts';
import { syncHttpNoop } from './figures/sync-http-noop.ts';
import { syncKill } from './figures/sync-kill.ts';
import { syncNoop } from './figures/sync-noop.ts';
import { syncRace } from './figures/sync-race.ts';

/** Every claim about speed and faults the project makes. */
export const allFigures: readonly Figure[] = [
  cliStart,
  syncCold,
  syncNoop,
  syncHttp,
  syncHttpNoop,
  syncKill,
  syncRace,
  manifestHostile,
  gitHostile,
  parity,
  loadRate,
  eventsFanout,
  ingestCold,
  ingestPush,
  serveKill,
  serveStart,
  searchSql,
  growth,
];
