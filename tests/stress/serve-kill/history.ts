import { eventBody, type EventBody } from '@catalog/contract/events';
import type { Edition } from './source.ts';

/** What is known of a layer that only comes and goes. */
export type LayerState =
  | { kind: 'absent' }
  | { kind: 'live'; public: boolean }
  | { kind: 'deleted'; public: boolean };

/** A delivery that was answered with a job. */
export interface Delivery {
  id: string;
  job: string;
  /** What was pushed. */
  edition: Edition;
}

/**
 * What the registry has acknowledged over all its lives. It is written down when an answer arrives;
 * what was asked and not answered may or may not have happened.
 */
export interface History {
  /** `id@version` of everything an answer called ingested. */
  published: Set<string>;
  deliveries: Delivery[];
  /** Jobs an answer has named. */
  jobs: Set<string>;
  /** Jobs that were running when a kill came, and taken up again. */
  interrupted: Set<string>;
  /** The states each layer may be in: one, or two while an answer is missing. */
  layers: Map<string, LayerState[]>;
  /** Every event that was read, each once, in the order of the stream. */
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

/** Where the stream goes on. */
export function lastCursor({ events }: History): string {
  return events.at(-1)?.cursor ?? '0';
}

/** A line of the stream; undefined for a heartbeat. A gap, which no kill explains, is refused. */
export function readEventLine(line: string): EventBody | undefined {
  const value: { event: string } = JSON.parse(line);
  return value.event === '_heartbeat' ? undefined : eventBody.parse(value);
}

/** What is wrong with a stream: it must go on by one, tell of each version once, and forget none. */
export function findEventFaults(
  events: readonly EventBody[],
  published: ReadonlySet<string>,
): string[] {
  const faults: string[] = [];
  const told = new Map<string, number>();
  for (const [index, { cursor, event, data }] of events.entries()) {
    if (cursor !== String(index + 1)) {
      faults.push(`event ${index + 1} of the stream has the cursor ${cursor}`);
    }
    if (event !== 'artifact.published') continue;
    const key = `${String(data['id'])}@${String(data['version'])}`;
    told.set(key, (told.get(key) ?? 0) + 1);
  }
  for (const [key, times] of told) {
    if (times > 1) faults.push(`${key} was published ${times} times`);
  }
  for (const key of published) {
    if (!told.has(key)) faults.push(`${key} was acknowledged and no event tells of it`);
  }
  return faults;
}

/** Whether a layer is in one of the states it may be in. */
export function isPossible(found: LayerState, possible: readonly LayerState[]): boolean {
  return possible.some((state) => JSON.stringify(state) === JSON.stringify(found));
}
