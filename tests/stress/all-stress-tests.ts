import { adoptRoundtrip } from './adopt-roundtrip/adopt-roundtrip.ts';
import { authzMatrix } from './authz-matrix/authz-matrix.ts';
import { connections } from './connections/connections.ts';
import { failover } from './failover/failover.ts';
import { freeze } from './freeze/freeze.ts';
import { gitHostile } from './git-hostile/git-hostile.ts';
import { manifestHostile } from './manifest-hostile/manifest-hostile.ts';
import { marketplaceStable } from './marketplace-stable/marketplace-stable.ts';
import { mcpAbuse } from './mcp-abuse/mcp-abuse.ts';
import { mcpOffline } from './mcp-offline/mcp-offline.ts';
import { mcpTogether } from './mcp-together/mcp-together.ts';
import { mergeSafety } from './merge-safety/merge-safety.ts';
import { outage } from './outage/outage.ts';
import { ownership } from './ownership/ownership.ts';
import { parity } from './parity/parity.ts';
import { replicaScale } from './replica-scale/replica-scale.ts';
import { revocation } from './revocation/revocation.ts';
import { rolling } from './rolling/rolling.ts';
import { s3Faults } from './s3-faults/s3-faults.ts';
import { saves } from './saves/saves.ts';
import { schedules } from './schedules/schedules.ts';
import { searchFaults } from './search-faults/search-faults.ts';
import { searchSwitch } from './search-switch/search-switch.ts';
import { searchViews } from './search-views/search-views.ts';
import { secrecy } from './secrecy/secrecy.ts';
import { serveKill } from './serve-kill/serve-kill.ts';
import { ssrf } from './ssrf/ssrf.ts';
import type { StressTest } from './stress-test.ts';
import { syncHttpNoop } from './sync-http-noop/sync-http-noop.ts';
import { syncKill } from './sync-kill/sync-kill.ts';
import { syncRace } from './sync-race/sync-race.ts';
import { trust } from './trust/trust.ts';
import { upgrade } from './upgrade/upgrade.ts';
import { webHostile } from './web-hostile/web-hostile.ts';
import { webhookLoss } from './webhook-loss/webhook-loss.ts';

export const allStressTests: readonly StressTest[] = [
  ownership,
  saves,
  trust,
  upgrade,
  webHostile,
  rolling,
  outage,
  ssrf,
  webhookLoss,
  connections,
  syncHttpNoop,
  syncKill,
  syncRace,
  manifestHostile,
  mcpTogether,
  mergeSafety,
  adoptRoundtrip,
  marketplaceStable,
  freeze,
  gitHostile,
  parity,
  serveKill,
  failover,
  s3Faults,
  replicaScale,
  schedules,
  searchSwitch,
  searchFaults,
  searchViews,
  authzMatrix,
  secrecy,
  revocation,
  mcpAbuse,
  mcpOffline,
];
