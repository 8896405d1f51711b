import { artifactRecord } from '@catalog/contract/records/artifact';
import { ingestJobs, type IngestJob } from '@catalog/contract/records/ingest';
import { openStream } from '@catalog/testkit/http-exchange';
import { readStates } from '../serve-kill/check.ts';
import { sendRequest } from '../serve-kill/client.ts';
import type { LayerState } from '../serve-kill/history.ts';
import { revisionOf, type Edition } from '../serve-kill/source.ts';
import { KILLED, type Fleet, type FleetLine } from './fleet.ts';

/** Checks of other processes, right after one of them has acknowledged a change. */
export interface VisibilityChecks {
  /** Number of checks with a response; a killed process does not respond. */
  checks: number;
  onIngested(edition: Edition): Promise<void>;
  onLayerChanged(id: string, state: LayerState): Promise<void>;
}

export function openVisibilityChecks(fleet: Fleet, faults: string[]): VisibilityChecks {
  const lookers: VisibilityChecks = {
    checks: 0,
    async onIngested({ path, revision }) {
      await onEveryProcess(async (url) => {
        const answer = await sendRequest(`${url}/v1/load_artifact?id=${path}`);
        if (answer === undefined) return;
        lookers.checks += 1;
        const { version } = artifactRecord.parse(answer.body);
        if (revisionOf(version) >= revision) return;
        faults.push(`revision ${revision} of ${path} was acknowledged, another serves ${version}`);
      });
    },
    async onLayerChanged(id, state) {
      await onEveryProcess(async (url) => {
        const readState = await readStates(url).catch(() => undefined);
        if (readState === undefined) return;
        lookers.checks += 1;
        const found = readState(id);
        if (JSON.stringify(found) === JSON.stringify(state)) return;
        faults.push(`${id} is ${JSON.stringify(found)} elsewhere, not ${JSON.stringify(state)}`);
      });
    },
  };
  async function onEveryProcess(look: (url: string) => Promise<void>): Promise<void> {
    await Promise.all(fleet.urls().map(look));
  }
  return lookers;
}

/** Every observed ingest, in its last observed state. */
export type SeenIngests = Map<string, IngestJob>;

/** Adds the current ingests of a registry, which does not keep them forever. */
export async function recordIngests(url: string, seen: SeenIngests): Promise<void> {
  const answer = await sendRequest(`${url}/v1/layers/ingests`);
  if (answer?.status !== 200) return;
  for (const job of ingestJobs.parse(answer.body).ingests) seen.set(job.job, job);
}

/**
 * Returns ingests of a layer that start before the commit of the previous one. The end is the time in
 * the job, written before the commit; the start is measured by the worker after its claim.
 */
export function findOverlaps(lines: readonly FleetLine[], seen: SeenIngests): string[] {
  const runs = lines.flatMap(({ job = '', duration_ms, time_ms }) => {
    const { layer, finished_at } = seen.get(job) ?? {};
    if (layer === undefined || finished_at === undefined || duration_ms === undefined) return [];
    return [{ job, layer, begin: time_ms - duration_ms, end: Date.parse(finished_at) }];
  });
  const faults: string[] = [];
  for (const [layer, ofLayer] of Map.groupBy(runs, (run) => run.layer)) {
    const sorted = ofLayer.toSorted((a, b) => a.end - b.end);
    for (const [at, { job, end }] of sorted.entries()) {
      const next = sorted[at + 1];
      if (next === undefined || next.begin >= end) continue;
      faults.push(`ingests ${job} and ${next.job} of ${layer} ran at once`);
    }
  }
  return faults;
}

export interface Leadership {
  faults: string[];
  terms: number;
  longest_gap_ms: number;
}

export function checkLeadership(lines: readonly FleetLine[]): Leadership {
  const result: Leadership = { faults: [], terms: 0, longest_gap_ms: 0 };
  let leader: number | undefined;
  let free_since = 0;
  for (const { process, message, time_ms } of lines) {
    if (message === 'this process sweeps and polls') {
      if (leader !== undefined) {
        result.faults.push(`process ${process} swept while process ${leader} did`);
      }
      if (free_since > 0) {
        result.longest_gap_ms = Math.max(result.longest_gap_ms, time_ms - free_since);
      }
      leader = process;
      result.terms += 1;
    } else if (
      process === leader &&
      (message === KILLED || message === 'this process sweeps and polls no more')
    ) {
      leader = undefined;
      free_since = time_ms;
    }
  }
  return result;
}

/** Returns the cursor of the newest event, from an up-to-date process. */
export async function newestCursor(url: string): Promise<string> {
  const stream = await openStream(url, '/v1/events');
  stream.close();
  return String(stream.headers['x-catalog-cursor']);
}
