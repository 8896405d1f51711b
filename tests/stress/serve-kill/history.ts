import { eventBody, type EventBody } from '@catalog/contract/events';
import type { Edition } from './source.ts';

export type LayerState =
  | { kind: 'absent' }
  | { kind: 'live'; public: boolean }
  | { kind: 'deleted'; public: boolean };

export interface Delivery {
  id: string;
  job: string;
  edition: Edition;
}

/**
 * Acknowledged changes of all runs, recorded when a response arrives. Requests without a response may
 * or may not have had an effect.
 */
export interface History {
  /** `id@version` of everything that a response reported as ingested. */
  published: Set<string>;
  deliveries: Delivery[];
  jobs: Set<string>;
  interrupted: Set<string>;
  /** Possible states of each layer: one, or two while a response is missing. */
  layers: Map<string, LayerState[]>;
  events: EventBody[];
}

export function emptyHistory(): History {
  return {
    published: new Set(),
    deliveries: [],
    jobs: new Set(),
    interrupted: new Set(),
    layers: new Map(),
    events: [],
  };
}

export function lastCursor({ events }: History): string {
  return events.at(-1)?.cursor ?? '0';
}

/** Returns undefined for a heartbeat. Throws for a gap, which a kill does not explain. */
export function readEventLine(line: string): EventBody | undefined {
  const value: { event: string } = JSON.parse(line);
  return value.event === '_heartbeat' ? undefined : eventBody.parse(value);
}

/** Checks that cursors are consecutive, and that every version occurs exactly once. */
export function findEventFaults(
  events: readonly EventBody[],
  published: ReadonlySet<string>,
): string[] {
  const faults: string[] = [];
  const publishedVersions = new Map<string, number>();
  for (const [index, { cursor, event, data }] of events.entries()) {
    if (cursor !== String(index + 1)) {
      faults.push(`event ${index + 1} of the stream has the cursor ${cursor}`);
    }
    if (event !== 'artifact.published') continue;
    const key = `${String(data['id'])}@${String(data['version'])}`;
    publishedVersions.set(key, (publishedVersions.get(key) ?? 0) + 1);
  }
  for (const [key, times] of publishedVersions) {
    if (times > 1) faults.push(`${key} was published ${times} times`);
  }
  for (const key of published) {
    if (!publishedVersions.has(key))
      faults.push(`${key} was acknowledged and no event tells of it`);
  }
  return faults;
}

export function isPossible(found: LayerState, possible: readonly LayerState[]): boolean {
  return possible.some((state) => JSON.stringify(state) === JSON.stringify(found));
}
