import { preScan, type ScanLimits } from '@catalog/core/manifest/pre-scan';
import { explain } from '@catalog/core/manifest/read-yaml';
import type { Refusal } from '@catalog/core/manifest/refusal';
import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import {
  CHOMPING_MODE,
  COLLECTION_STYLE,
  EVENT_ID,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type Event,
  type ScalarEvent,
} from 'js-yaml';
import { beforeLineBreak, lineEnd } from '../lines.ts';
import { invalidTarget } from '../refusals.ts';
import type { Comment } from '../splices.ts';
import type { YamlContainer, YamlDocument, YamlItem, YamlNode } from './yaml-document.ts';

/** Limits of a configuration file; some products ship one with many comments. */
const LIMITS: ScanLimits = { bytes: 1_048_576, lines: 20_000, entries: 20_000, references: 256 };

interface Reader {
  text: string;
  file: string;
  events: readonly Event[];
  next: number;
  position: number;
  comments: Comment[];
  open_end: number | undefined;
}

/**
 * Reads a YAML document. The events of the parser contain the positions of scalars; this code reads punctuation and
 * comments between them. Errors contain line and column.
 */
export function readYamlDocument(text: string, file: string): YamlDocument {
  const reader: Reader = {
    text,
    file,
    events: parse(text, file),
    next: 0,
    position: 0,
    comments: [],
    open_end: undefined,
  };
  passOpening(reader);
  const root = takeEvent(reader)?.type === EVENT_ID.DOCUMENT ? readNode(reader) : undefined;
  const behind = reader.position;
  passTrivia(reader);
  const last = Math.max(behind, reader.comments.at(-1)?.end ?? 0);
  const content_end = last === 0 ? 0 : lineEnd(text, last);
  if (text.startsWith('...', reader.position)) reader.position += 3;
  passTrivia(reader);
  const { comments, open_end } = reader;
  return { text, root: isNothing(root) ? undefined : root, comments, content_end, open_end };
}

function parse(text: string, file: string): Event[] {
  const scanned = preScan(hideMarkers(text), LIMITS);
  // The suggested fix is for manifests, so it is removed.
  if (scanned.kind === 'refused') throw invalidYaml(text, file, { ...scanned.refusal, fix: '' });
  try {
    return parseEvents(text, {});
  } catch (error) {
    throw invalidYaml(text, file, explain(error, text));
  }
}

function invalidYaml(text: string, file: string, { message, fix, offset }: Refusal): CatalogError {
  const problem = message.charAt(0).toLowerCase() + message.slice(1);
  const reason = `cannot be merged into: ${problem} ${fix}`.trimEnd();
  return invalidTarget(text, offset, file, reason.slice(0, -1));
}

const OPENING = /^(?:[ \t]*(?:#.*)?(?:\r?\n|\r(?!\n))|%.*(?:\r?\n|\r(?!\n)))*---(?=\s|$)/;
const CLOSING =
  /(?<=[\r\n]|^)\.\.\.(?=\s|$)(?=(?:[ \t]*(?:#.*)?(?:\r?\n|\r(?!\n)))*(?:[ \t]*(?:#.*)?)$)/;

/** Replaces document markers, because the scan accepts only documents without them. */
function hideMarkers(text: string): string {
  return text.replace(OPENING, blanked).replace(CLOSING, blanked);
}

function blanked(opening: string): string {
  return opening.replaceAll(/[^\r\n]/g, ' ');
}

function passOpening(reader: Reader): void {
  const { text } = reader;
  const end = OPENING.exec(text)?.[0].length ?? 0;
  while (reader.position < end) {
    passTrivia(reader);
    if (reader.position >= end) return;
    reader.position = text[reader.position] === '%' ? lineEnd(text, reader.position) : end;
  }
}

function isNothing(node: YamlNode | undefined): boolean {
  return node?.kind === 'scalar' && node.start === node.end && node.anchor === undefined;
}

function takeEvent(reader: Reader): Event | undefined {
  const event = reader.events[reader.next];
  reader.next += 1;
  return event;
}

function passTrivia(reader: Reader): void {
  const { text } = reader;
  for (;;) {
    const sign = text[reader.position];
    if (sign === '#') {
      const start = reader.position;
      reader.position = lineEnd(text, start);
      reader.comments.push({ start, end: reader.position, line: true });
    } else if (sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r') {
      reader.position += 1;
    } else {
      return;
    }
  }
}

function readNode(reader: Reader): YamlNode {
  const event = takeEvent(reader);
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) {
    throw unexpectedYaml(reader);
  }
  if (event.type === EVENT_ID.ALIAS) {
    passTrivia(reader);
    const { position: start, text } = reader;
    reader.position = event.anchorEnd;
    const name = text.slice(event.anchorStart, event.anchorEnd);
    return { kind: 'alias', start, end: event.anchorEnd, anchor: undefined, name };
  }
  const anchor = passAnchor(reader, event);
  if (event.type === EVENT_ID.SCALAR) return { ...readScalar(reader, event), anchor };
  passTrivia(reader);
  const kind = event.type === EVENT_ID.MAPPING ? 'object' : 'array';
  if (event.style === COLLECTION_STYLE.BLOCK) return { ...readBlock(reader, kind), anchor };
  return { ...readFlow(reader, kind), anchor };
}

function passAnchor(
  reader: Reader,
  { anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number },
): string | undefined {
  if (anchorStart === -1) return undefined;
  passTrivia(reader);
  reader.position = anchorEnd;
  return reader.text.slice(anchorStart, anchorEnd);
}

type Unanchored<T> = T extends unknown ? Omit<T, 'anchor'> : never;

function readScalar(reader: Reader, event: ScalarEvent): Unanchored<YamlNode> {
  const { text } = reader;
  const value = { kind: 'scalar' as const, text: getScalarValue(text, event) };
  if (event.valueStart === -1) {
    return { ...value, plain: true, start: reader.position, end: reader.position };
  }
  passTrivia(reader);
  const start = reader.position;
  const { style } = event;
  if (style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK) {
    return { ...value, plain: false, start, end: passBlockScalar(reader, event) };
  }
  const plain = style === SCALAR_STYLE.PLAIN;
  reader.position = event.valueEnd + (plain ? 0 : 1);
  return { ...value, plain, start, end: reader.position };
}

/** Moves past a block scalar, including trailing blank lines only with `+`. */
function passBlockScalar(reader: Reader, { valueStart, valueEnd, chomping }: ScalarEvent): number {
  const { text, position: start } = reader;
  const sign = / #/.exec(text.slice(start, valueStart))?.index;
  if (sign !== undefined) {
    const comment = start + sign + 1;
    reader.comments.push({ start: comment, end: lineEnd(text, comment), line: true });
  }
  const keeps = chomping === CHOMPING_MODE.KEEP;
  const closed = beforeLineBreak(text, valueEnd);
  const content = text.slice(start, valueEnd).replace(/[ \t\r\n]+$/, '');
  const last = lineEnd(text, start + content.length);
  const end = keeps ? Math.max(last, closed) : last;
  const isCut = chomping !== CHOMPING_MODE.STRIP && (keeps ? closed : end) === text.length;
  if (isCut) reader.open_end = end;
  reader.position = end;
  return end;
}

function readBlock(reader: Reader, kind: YamlContainer['kind']): Unanchored<YamlContainer> {
  const start = reader.position;
  const items: YamlItem[] = [];
  let end = start;
  while (!atPop(reader)) {
    passTrivia(reader);
    const item = kind === 'object' ? readMember(reader) : readElement(reader);
    items.push(item);
    end = item.value.end;
  }
  reader.next += 1;
  return { kind, flow: false, start, end, items };
}

function atPop(reader: Reader): boolean {
  return reader.events[reader.next]?.type === EVENT_ID.POP;
}

function readElement(reader: Reader): YamlItem {
  const start = reader.position;
  expectSign(reader, '-');
  return { key: undefined, start, key_end: start, value: readNode(reader), comma: undefined };
}

/** Reads a member. In flow style, colon and value are optional. */
function readMember(reader: Reader, inFlow = false): YamlItem {
  const start = reader.position;
  const name = readNode(reader);
  const key = name.kind === 'scalar' ? name.text : undefined;
  const key_end = name.end;
  passTrivia(reader);
  if (inFlow && reader.text[reader.position] !== ':') {
    reader.next += 1;
    const value = { kind: 'scalar' as const, text: '', plain: true, anchor: undefined };
    return {
      key,
      start,
      key_end,
      comma: undefined,
      value: { ...value, start: key_end, end: key_end },
    };
  }
  expectSign(reader, ':');
  return { key, start, key_end, value: readNode(reader), comma: undefined };
}

function readFlow(reader: Reader, kind: YamlContainer['kind']): Unanchored<YamlContainer> {
  const start = reader.position;
  if (kind === 'object' && reader.text[start] !== '{') {
    // A single pair in a flow sequence has no braces.
    const pair = readMember(reader, true);
    reader.next += 1;
    return { kind, flow: true, start, end: pair.value.end, items: [pair] };
  }
  reader.position += 1;
  const items: YamlItem[] = [];
  while (!atPop(reader)) {
    passTrivia(reader);
    const item = kind === 'object' ? readMember(reader, true) : readFlowElement(reader);
    passTrivia(reader);
    if (reader.text[reader.position] === ',') {
      item.comma = reader.position;
      reader.position += 1;
    }
    items.push(item);
  }
  reader.next += 1;
  passTrivia(reader);
  expectSign(reader, kind === 'object' ? '}' : ']');
  return { kind, flow: true, start, end: reader.position, items };
}

function readFlowElement(reader: Reader): YamlItem {
  const start = reader.position;
  return { key: undefined, start, key_end: start, value: readNode(reader), comma: undefined };
}

function expectSign(reader: Reader, sign: string): void {
  if (reader.text[reader.position] !== sign) throw unexpectedYaml(reader);
  reader.position += 1;
}

/** Creates the error for a difference between the parser and this reader, which makes edits unsafe. */
function unexpectedYaml({ text, position, file }: Reader): CatalogError {
  return invalidTarget(text, position, file, 'holds YAML catalog cannot edit');
}
