/**
 * Runs one ingest of a folder in a real registry, from the registration of the layer to the end of
 * the job. Prints the cost as JSON.
 * node ingest-trial.ts <folder> <home>
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { IngestJobs } from '@catalog/contract/records/ingest';
import { startRegistryProcess } from './registry-process.ts';

/** Interval of polls, long enough that they cost the registry nothing measurable. */
const POLL_INTERVAL_MS = 100;

const [folder = '', home = ''] = process.argv.slice(2);

const registry = await startRegistryProcess(home);
const began = performance.now();
const cpu = registry.cpuMs();
await post('/v1/layers', { id: 'catalogue', source_type: 'local', local_path: folder });
const report = await waitForReport();
const wall_ms = performance.now() - began;
const cpu_ms = registry.cpuMs() - cpu;
await registry.stop();
process.stdout.write(JSON.stringify({ wall_ms, cpu_ms, accepted: report.accepted }));

async function waitForReport(): Promise<{ accepted: number }> {
  for (;;) {
    await delay(POLL_INTERVAL_MS);
    const answer = await fetch(`${registry.url}/v1/layers/ingests?id=catalogue`);
    const { ingests }: IngestJobs = JSON.parse(await answer.text());
    // The first ingest is that of the registration; later ones come from the watched folder.
    const first = ingests.at(-1);
    if (first?.state === 'failed') throw new Error(first.error?.message);
    if (first?.report !== undefined) return first.report;
  }
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${registry.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}
