import { escapeControls } from '@catalog/contract/text/escape-controls';
import { escapeXml } from '@catalog/core/text/escape-xml';
import { escapeMarks } from './escape-marks.ts';

/**
 * Marks text that the author of a document did not write: a block between the comments `begin imported` and `end
 * imported`, or the whole body if `source` is not `authored`. `mark` is a part of the element's name: with a random
 * value, the content cannot contain the end of its element.
 */
export function markUntrusted(body: string, source: string | undefined, mark = ''): string {
  const name = mark === '' ? ELEMENT : `${ELEMENT}-${mark}`;
  if (isImported(source)) {
    const eol = body.includes('\r\n') ? '\r\n' : '\n';
    return openTag(name, source) + eol + closeAtEnd(name, body);
  }
  return body.includes('<!--') ? markBlocks(name, body) : body;
}

export function isImported(source: string | undefined): source is string {
  return source !== undefined && source !== AUTHORED;
}

const AUTHORED = 'authored';
const ELEMENT = 'untrusted-data';
/** Maximum length of a source in characters. */
const MAX_SOURCE = 300;

const MARKER = /<!--\s*(begin|end)\s+imported\b/gi;
const COMMENT_END = /--!?>/g;
/** Maximum length of the attributes in characters. */
const MAX_ATTRIBUTES = 1000;

interface Marker {
  isBegin: boolean;
  source: string | undefined;
  /** Id in both comments of a block; empty without one. */
  id: string;
  start: number;
  end: number;
}

function readMarkers(body: string): Marker[] {
  const ends = body.matchAll(COMMENT_END);
  let close = ends.next().value;
  return [...body.matchAll(MARKER)].flatMap(({ 0: head, 1: kind = '', index: start }) => {
    const from = start + head.length;
    while (close !== undefined && close.index < from) close = ends.next().value;
    if (close === undefined || close.index - from > MAX_ATTRIBUTES) return [];
    const attributes = body.slice(from, close.index);
    return {
      isBegin: kind.toLowerCase() === 'begin',
      source: /\ssource="([^"]*)"/i.exec(attributes)?.[1],
      id: /\sid="([^"]*)"/i.exec(attributes)?.[1] ?? '',
      start,
      end: close.index + close[0].length,
    };
  });
}

/**
 * Marks blocks. A block extends to the last `end imported` with its id, because imported text can contain that comment
 * too. Without an end, it extends to the end of the body.
 */
function markBlocks(name: string, body: string): string {
  const markers = readMarkers(body);
  const ends = new Map(markers.filter(({ isBegin }) => !isBegin).map((end) => [end.id, end]));
  let result = '';
  let offset = 0;
  for (const begin of markers) {
    if (!begin.isBegin || begin.start < offset) continue;
    result += body.slice(offset, begin.start) + openTag(name, begin.source);
    const end = ends.get(begin.id);
    if (end === undefined || end.start < begin.end) {
      return result + closeAtEnd(name, body.slice(begin.end));
    }
    result += escapeMarks(body.slice(begin.end, end.start)) + closeTag(name);
    offset = end.end;
  }
  return result + body.slice(offset);
}

function openTag(name: string, source: string | undefined): string {
  if (source === undefined) return `<${name}>`;
  return `<${name} source="${escapeXml(escapeControls(source.slice(0, MAX_SOURCE)))}">`;
}

function closeTag(name: string): string {
  return `</${name}>`;
}

function closeAtEnd(name: string, text: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return escapeMarks(text) + (text.endsWith('\n') ? '' : eol) + closeTag(name) + eol;
}
