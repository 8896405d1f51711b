import { Buffer } from 'node:buffer';
import type { OutboxEvent } from '@catalog/core/ports/outbox';

export interface EventLine {
  sequence: number;
  name: string;
  bytes: Buffer;
}

export function toLine(event: OutboxEvent): EventLine {
  const { sequence, body } = event;
  return { sequence, name: body.event, bytes: Buffer.from(`${eventText(event)}\n`) };
}

export function eventText({ sequence, body }: OutboxEvent): string {
  return JSON.stringify({ ...body, cursor: String(sequence) });
}

/** Line for a reader that missed events which were removed (SPEC-11). */
export const GAP_LINE = Buffer.from('{"event":"_gap"}\n');

export function heartbeatLine(sequence: number): Buffer {
  return Buffer.from(`${JSON.stringify({ event: '_heartbeat', cursor: String(sequence) })}\n`);
}

/** Filter by event name; without names, all events match. */
export interface EventFilter {
  key: string;
  names: ReadonlySet<string> | undefined;
}

export function createFilter(names: readonly string[]): EventFilter {
  const unique = new Set(names);
  return { key: [...unique].sort().join(), names: unique.size === 0 ? undefined : unique };
}

export function joinLines(lines: readonly EventLine[], { names }: EventFilter): Buffer {
  const passing = names === undefined ? lines : lines.filter(({ name }) => names.has(name));
  const [only] = passing;
  if (only !== undefined && passing.length === 1) return only.bytes;
  return Buffer.concat(passing.map(({ bytes }) => bytes));
}

export interface RecentLines {
  push(lines: readonly EventLine[]): void;
  /** Returns the lines after a sequence; undefined if some are no longer in memory. */
  after(sequence: number, bytes: number): readonly EventLine[] | undefined;
}

export function createRecentLines(floor: number, maxBytes: () => number): RecentLines {
  let lines: EventLine[] = [];
  let kept = 0;
  let complete_after = floor;
  return {
    push(more) {
      lines.push(...more);
      for (const { bytes } of more) kept += bytes.length;
      const room = maxBytes();
      let dropped = 0;
      while (kept > room) {
        const line = lines[dropped++];
        if (line === undefined) break;
        kept -= line.bytes.length;
        complete_after = line.sequence;
      }
      if (dropped > 0) lines = lines.slice(dropped);
    },
    after(sequence, bytes) {
      if (sequence < complete_after) return undefined;
      const first = firstAfter(lines, sequence);
      let end = first;
      for (let taken = 0; end < lines.length && taken < bytes; end += 1) {
        taken += lines[end]?.bytes.length ?? 0;
      }
      return lines.slice(first, end);
    },
  };
}

function firstAfter(lines: readonly EventLine[], sequence: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle]?.sequence ?? Infinity) > sequence) high = middle;
    else low = middle + 1;
  }
  return low;
}
