import { EVENT_ID, SCALAR_STYLE, getScalarValue, parseEvents, type Event } from 'js-yaml';
import type { Manifest } from '../artifact/types.ts';
import { positionAt, type Position } from './position.ts';

/** The way to a value: keys of mappings and indexes of sequences. */
export type ValuePath = readonly (string | number)[];

/**
 * Where a value of the frontmatter stands: a mapping's member at its key, a sequence's item at its
 * start. A path that is not there, or only by way of an alias or a merge key, gives the deepest part
 * of it that is; an empty one the opening fence.
 *
 * It reads the source again. Only a finding needs a place, and most manifests give none.
 */
export function locate(manifest: Manifest, path: ValuePath): Position {
  const offset = offsetOf(manifest.frontmatter, path);
  if (offset === undefined) return positionAt(manifest.text, 0);
  return positionAt(manifest.text, manifest.text.indexOf('\n') + 1 + offset);
}

/** The offset in YAML source, as in `locate`; undefined when not even the first step is there. */
export function offsetOf(source: string, path: ValuePath): number | undefined {
  const events = parseEvents(source, {});
  // The first event opens the document, the second its root.
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

/** The events that begin the value of a step and what is shown for it. */
interface Found {
  value: number;
  shown: number;
}

/** Finds a key of the mapping that opens at event `start`. */
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

/** The index of the event that follows a whole node. */
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
  // The offsets of quoted scalars and anchors leave out the sign in front of them.
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.tagStart !== -1) return event.tagStart;
  if (event.anchorStart !== -1) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  if (event.valueStart === -1) return undefined;
  const quoted =
    event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? event.valueStart - 1 : event.valueStart;
}
