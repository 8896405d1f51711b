import { Buffer } from 'node:buffer';
import type { OutboxEvent } from '@catalog/core/ports/outbox';

/** One event as every reader gets it: serialised once, shared by all of them. */
export interface EventLine {
  sequence: number;
  name: string;
  bytes: Buffer;
}

export function toLine(event: OutboxEvent): EventLine {
  const { sequence, body } = event;
  return { sequence, name: body.event, bytes: Buffer.from(`${eventText(event)}\n`) };
}

/** An event as the stream and webhooks carry it. */
export function eventText({ sequence, body }: OutboxEvent): string {
  return JSON.stringify({ ...body, cursor: String(sequence) });
}

/** Some events are no longer kept and this reader has not had them (SPEC-11). */
export const GAP_LINE = Buffer.from('{"event":"_gap"}\n');

/** Says that the connection lives, and from where to go on when it does not. */
export function heartbeatLine(sequence: number): Buffer {
  return Buffer.from(`${JSON.stringify({ event: '_heartbeat', cursor: String(sequence) })}\n`);
}

/** Which events a reader asked for; every one when there are no names. */
export interface EventFilter {
  /** Equal for filters that let the same events pass. */
  key: string;
  names: ReadonlySet<string> | undefined;
}

export function createFilter(names: readonly string[]): EventFilter {
  const unique = new Set(names);
  return { key: [...unique].sort().join(), names: unique.size === 0 ? undefined : unique };
}

/** The bytes of the lines a filter lets pass. */
export function joinLines(lines: readonly EventLine[], { names }: EventFilter): Buffer {
  const passing = names === undefined ? lines : lines.filter(({ name }) => names.has(name));
  const [only] = passing;
  if (only !== undefined && passing.length === 1) return only.bytes;
  return Buffer.concat(passing.map(({ bytes }) => bytes));
}

/** The newest lines, kept so that a reader a little behind costs no read of the store. */
export interface RecentLines {
  push(lines: readonly EventLine[]): void;
  /** Lines after a sequence, about `bytes` of them; undefined when some of them are no longer here. */
  after(sequence: number, bytes: number): readonly EventLine[] | undefined;
}

/** Keeps lines that follow `floor`, at most `most()` bytes of them. */
export function createRecentLines(floor: number, most: () => number): RecentLines {
  let lines: EventLine[] = [];
  let kept = 0;
  let complete_after = floor;
  return {
    push(more) {
      lines.push(...more);
      for (const { bytes } of more) kept += bytes.length;
      const room = most();
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

/** Where the first line after a sequence is, by halving: sequences rise. */
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
