import { EVENT_ID, SCALAR_STYLE, getScalarValue, parseEvents, type Event } from 'js-yaml';
import type { Manifest } from '../artifact/types.ts';
import { positionAt, type Position } from './position.ts';

export type ValuePath = readonly (string | number)[];

/**
 * Returns the position of a value: a member at its key, an item at its start, and the opening fence for an empty path.
 * For a missing path, returns the deepest existing part. Parses the source again, because most manifests have no
 * findings.
 */
export function locate(manifest: Manifest, path: ValuePath): Position {
  const offset = offsetOf(manifest.frontmatter, path);
  if (offset === undefined) return positionAt(manifest.text, 0);
  return positionAt(manifest.text, manifest.text.indexOf('\n') + 1 + offset);
}

/** Returns the offset of a value; undefined if the first step of the path does not exist. */
export function offsetOf(source: string, path: ValuePath): number | undefined {
  const events = parseEvents(source, {});
  // The first event opens the document and the second one its root.
  let index = 1;
  let offset: number | undefined;
  for (const step of path) {
    const found =
      typeof step === 'string'
        ? findMember(events, index, source, step)
        : findItem(events, index, step);
    if (found === undefined) break;
    offset = startOf(events[found.shown]) ?? offset;
    index = found.value;
  }
  return offset;
}

interface Found {
  value: number;
  shown: number;
}

export function findMember(
  events: readonly Event[],
  start: number,
  source: string,
  name: string,
): Found | undefined {
  if (events[start]?.type !== EVENT_ID.MAPPING) return undefined;
  let key = start + 1;
  for (
    let event = events[key];
    event !== undefined && event.type !== EVENT_ID.POP;
    event = events[key]
  ) {
    const value = afterNode(events, key);
    if (event.type === EVENT_ID.SCALAR && getScalarValue(source, event) === name) {
      return { value, shown: key };
    }
    key = afterNode(events, value);
  }
  return undefined;
}

function findItem(events: readonly Event[], start: number, position: number): Found | undefined {
  if (events[start]?.type !== EVENT_ID.SEQUENCE) return undefined;
  let item = start + 1;
  let skipped = 0;
  for (
    let event = events[item];
    event !== undefined && event.type !== EVENT_ID.POP;
    event = events[item]
  ) {
    if (skipped === position) return { value: item, shown: item };
    item = afterNode(events, item);
    skipped += 1;
  }
  return undefined;
}

function afterNode(events: readonly Event[], start: number): number {
  let open = 0;
  let index = start;
  do {
    const type = events[index]?.type;
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) open += 1;
    if (type === EVENT_ID.POP) open -= 1;
    index += 1;
  } while (open > 0 && index < events.length);
  return index;
}

function startOf(event: Event | undefined): number | undefined {
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP)
    return undefined;
  // Offsets of quoted scalars and anchors start after their first character.
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.tagStart !== -1) return event.tagStart;
  if (event.anchorStart !== -1) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  if (event.valueStart === -1) return undefined;
  const quoted =
    event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? event.valueStart - 1 : event.valueStart;
}
