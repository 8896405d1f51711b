import type { Benchmark } from './benchmark.ts';
import { cliStart } from './benchmarks/cli-start.ts';
import { ingestCold } from './benchmarks/ingest-cold.ts';
import { ingestPush } from './benchmarks/ingest-push.ts';
import { eventsFanout } from './benchmarks/events-fanout.ts';
import { loadRate } from './benchmarks/load-rate.ts';
import { mcpStart } from './benchmarks/mcp-start.ts';
import { memoryUnderLoad } from './benchmarks/memory-under-load.ts';
import { pgFsync } from './benchmarks/pg-fsync.ts';
import { pgGrowth } from './benchmarks/pg-growth.ts';
import { pgManifest } from './benchmarks/pg-manifest.ts';
import { pgSearch } from './benchmarks/pg-search.ts';
import { scaleModel } from './benchmarks/scale-model.ts';
import { restoreTime } from './benchmarks/restore-time.ts';
import { serveMemory } from './benchmarks/serve-memory.ts';
import { serveStart } from './benchmarks/serve-start.ts';
import { searchCost } from './benchmarks/search-cost.ts';
import { searchQuality } from './benchmarks/search-quality.ts';
import { searchSql } from './benchmarks/search-sql.ts';
import { syncAll } from './benchmarks/sync-all.ts';
import { syncCold } from './benchmarks/sync-cold.ts';
import { syncHttp } from './benchmarks/sync-http.ts';
import { syncNoop } from './benchmarks/sync-noop.ts';
import { telemetryCost } from './benchmarks/telemetry-cost.ts';
import { tenants } from './benchmarks/tenants.ts';
import { webhookRate } from './benchmarks/webhook-rate.ts';
import { webPaint } from './benchmarks/web-paint.ts';

export interface PageSection {
  title: string;
  benchmarks: readonly Benchmark[];
}

export const questions: readonly PageSection[] = [
  { title: 'How fast do commands start?', benchmarks: [cliStart, mcpStart] },
  { title: 'How fast is a sync?', benchmarks: [syncCold, syncAll, syncNoop, syncHttp] },
  { title: 'How fast is an ingest?', benchmarks: [ingestCold, ingestPush] },
  {
    title: 'How many requests and events does a server handle?',
    benchmarks: [loadRate, eventsFanout, webhookRate, webPaint],
  },
  {
    title: 'How fast and how good is a search?',
    benchmarks: [searchSql, searchCost, searchQuality, pgSearch],
  },
  {
    title: 'How does the cost grow with the catalog?',
    benchmarks: [pgGrowth, pgManifest, tenants, scaleModel],
  },
  {
    title: 'What does a server need?',
    benchmarks: [serveStart, serveMemory, memoryUnderLoad, pgFsync, telemetryCost],
  },
  { title: 'How long does a recovery take?', benchmarks: [restoreTime] },
];

export const allBenchmarks: readonly Benchmark[] = questions.flatMap(
  ({ benchmarks }) => benchmarks,
);
