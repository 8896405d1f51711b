import {
  documentedOutcome,
  REQUESTS,
  type Dependency,
  type Outcome,
  type RequestName,
} from './documented.ts';
import type { Sent } from './load.ts';

export interface Phases {
  down_ms: number;
  noticed_ms: number;
  up_ms: number;
  recovered_ms: number;
}

/** Time limit for a request that does not need the dependency. */
const MAX_UNAFFECTED_MS = 30_000;

const DATABASES: ReadonlySet<Dependency> = new Set(['primary', 'database']);

/** Returns the difference between a response and the documented one; undefined if they are equal. */
export function findFault(sent: Sent, dependency: Dependency, phases: Phases): string | undefined {
  const works = REQUESTS[sent.name].works;
  const without = documentedOutcome(sent.name, dependency);
  const expected = expectedOutcomes(sent, phases, { works, without }, dependency);
  const found = describe(sent);
  const duration_ms = Math.round(sent.ended_ms - sent.began_ms);
  const phase = phaseOf(sent, phases);
  const request = sent.proxy === undefined ? sent.name : `${sent.name} through ${sent.proxy}`;
  if (!expected.some((outcome) => describe(outcome) === found)) {
    const wanted = [...new Set(expected.map(describe))].join(' or ');
    return `${request}, ${phase}: ${found} after ${duration_ms} ms instead of ${wanted}: ${sent.body}`;
  }
  const isUnaffected = expected.every((outcome) => describe(outcome) === describe(works));
  if (isUnaffected && duration_ms > MAX_UNAFFECTED_MS) {
    return `${request}, ${phase}: ${found} only after ${duration_ms} ms`;
  }
  return undefined;
}

export function isWorking(sent: Sent): boolean {
  return describe(sent) === describe(REQUESTS[sent.name].works);
}

type Phase = 'before the outage' | 'during the outage' | 'after the outage' | 'in between';

function phaseOf({ began_ms, ended_ms }: Sent, phases: Phases): Phase {
  if (ended_ms < phases.down_ms) return 'before the outage';
  if (began_ms > phases.recovered_ms) return 'after the outage';
  const isDuring = began_ms > phases.noticed_ms && ended_ms < phases.up_ms;
  return isDuring ? 'during the outage' : 'in between';
}

function expectedOutcomes(
  sent: Sent,
  phases: Phases,
  { works, without }: { works: Outcome; without: Outcome },
  dependency: Dependency,
): Outcome[] {
  const phase = phaseOf(sent, phases);
  const refused = refusals(sent, dependency);
  if (phase === 'during the outage') return [without, ...refused];
  if (phase !== 'in between') return [works];
  const partial = dependency === 'database' ? [documentedOutcome(sent.name, 'primary')] : [];
  return [works, without, ...partial, ...unnoticed(sent.name, dependency), ...refused];
}

/** A proxy with health checks sends no request to a registry that is not ready. */
function refusals({ proxy }: Sent, dependency: Dependency): Outcome[] {
  return proxy === 'caddy' && dependency === 'database' ? [{ status: 503 }] : [];
}

/** Returns the errors that are allowed until the registry has detected the loss or recovery of the database. */
function unnoticed(name: RequestName, dependency: Dependency): Outcome[] {
  const isAffected =
    describe(documentedOutcome(name, dependency)) !== describe(REQUESTS[name].works);
  return DATABASES.has(dependency) && isAffected
    ? [{ status: 500, code: 'registry.unavailable' }]
    : [];
}

function describe({ status, code, degraded }: Outcome | Sent): string {
  return [status, code, degraded === true ? 'degraded' : undefined]
    .filter((part) => part !== undefined)
    .join(' ');
}
