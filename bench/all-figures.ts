import type { Figure } from './figure.ts';
import { adoptRoundtrip } from './figures/adopt-roundtrip.ts';
import { authzMatrix } from './figures/authz-matrix.ts';
import { authCost } from './figures/auth-cost.ts';
import { cliStart } from './figures/cli-start.ts';
import { embedRate } from './figures/embed-rate.ts';
import { encodeCost } from './figures/encode-cost.ts';
import { ingestCold } from './figures/ingest-cold.ts';
import { ingestPush } from './figures/ingest-push.ts';
import { eventsFanout } from './figures/events-fanout.ts';
import { failover } from './figures/failover.ts';
import { gitHostile } from './figures/git-hostile.ts';
import { growth } from './figures/growth.ts';
import { loadRate } from './figures/load-rate.ts';
import { manifestHostile } from './figures/manifest-hostile.ts';
import { marketplaceStable } from './figures/marketplace-stable.ts';
import { mcpTogether } from './figures/mcp-together.ts';
import { mcpAbuse } from './figures/mcp-abuse.ts';
import { mcpOffline } from './figures/mcp-offline.ts';
import { mcpStart } from './figures/mcp-start.ts';
import { mergeSafety } from './figures/merge-safety.ts';
import { parity } from './figures/parity.ts';
import { pgFsync } from './figures/pg-fsync.ts';
import { pgGrowth } from './figures/pg-growth.ts';
import { pgManifest } from './figures/pg-manifest.ts';
import { pgSearch } from './figures/pg-search.ts';
import { quotaLimits } from './figures/quota-limits.ts';
import { replicaScale } from './figures/replica-scale.ts';
import { revocation } from './figures/revocation.ts';
import { s3Faults } from './figures/s3-faults.ts';
import { scaleModel } from './figures/scale-model.ts';
import { secrecy } from './figures/secrecy.ts';
import { serveKill } from './figures/serve-kill.ts';
import { restoreTime } from './figures/restore-time.ts';
import { serveMemory } from './figures/serve-memory.ts';
import { serveStart } from './figures/serve-start.ts';
import { schedules } from './figures/schedules.ts';
import { searchCost } from './figures/search-cost.ts';
import { searchFaults } from './figures/search-faults.ts';
import { searchQuality } from './figures/search-quality.ts';
import { searchSql } from './figures/search-sql.ts';
import { searchSwitch } from './figures/search-switch.ts';
import { searchViews } from './figures/search-views.ts';
import { startManyLayers } from './figures/start-many-layers.ts';
import { syncAll } from './figures/sync-all.ts';
import { syncCold } from './figures/sync-cold.ts';
import { syncHttp } from './figures/sync-http.ts';
import { syncHttpNoop } from './figures/sync-http-noop.ts';
import { syncKill } from './figures/sync-kill.ts';
import { syncNoop } from './figures/sync-noop.ts';
import { syncRace } from './figures/sync-race.ts';
import { tenants } from './figures/tenants.ts';
import { webhookIngest } from './figures/webhook-ingest.ts';
import { webhookRate } from './figures/webhook-rate.ts';
import { webPaint } from './figures/web-paint.ts';

/** Every claim about speed and faults the project makes. */
export const allFigures: readonly Figure[] = [
  cliStart,
  syncCold,
  syncAll,
  syncNoop,
  syncHttp,
  syncHttpNoop,
  syncKill,
  syncRace,
  manifestHostile,
  mcpTogether,
  mergeSafety,
  adoptRoundtrip,
  marketplaceStable,
  gitHostile,
  parity,
  loadRate,
  authCost,
  eventsFanout,
  ingestCold,
  ingestPush,
  serveKill,
  failover,
  s3Faults,
  serveStart,
  serveMemory,
  restoreTime,
  startManyLayers,
  replicaScale,
  schedules,
  searchSql,
  embedRate,
  encodeCost,
  searchQuality,
  searchCost,
  searchSwitch,
  searchFaults,
  searchViews,
  pgSearch,
  growth,
  pgFsync,
  pgGrowth,
  pgManifest,
  tenants,
  scaleModel,
  quotaLimits,
  authzMatrix,
  secrecy,
  revocation,
  mcpStart,
  mcpAbuse,
  mcpOffline,
  webhookRate,
  webhookIngest,
  webPaint,
];
