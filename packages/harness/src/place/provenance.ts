import { escapeXml } from '@catalog/core/text/escape-xml';

/**
 * Marks what an author did not write. A block between the comments `begin imported` and
 * `end imported`, or the whole text of a document whose `source` is not `authored`, becomes an
 * element that says where its content came from and that it is data, not instruction.
 */
export function markUntrusted(body: string, source: string | undefined): string {
  if (source !== undefined && source !== AUTHORED) {
    const eol = body.includes('\r\n') ? '\r\n' : '\n';
    return openTag(source) + eol + closeAtEnd(body);
  }
  return body.includes('<!--') ? markBlocks(body) : body;
}

const AUTHORED = 'authored';
const CLOSE_TAG = '</untrusted-data>';
const MARKER = /<!--\s*(begin|end) imported(?:\s+source="([^"]*)")?\s*-->/g;

/** Nested blocks are one; a block that is never closed reaches to the end: in doubt, more is data. */
function markBlocks(body: string): string {
  let result = '';
  let offset = 0;
  let depth = 0;
  for (const { 0: marker, 1: kind, 2: source, index } of body.matchAll(MARKER)) {
    if (kind === 'begin') {
      depth += 1;
      if (depth > 1) continue;
      result += body.slice(offset, index) + openTag(source);
    } else {
      if (depth === 0) continue;
      depth -= 1;
      if (depth > 0) continue;
      result += disarm(body.slice(offset, index)) + CLOSE_TAG;
    }
    offset = index + marker.length;
  }
  const rest = body.slice(offset);
  return result + (depth > 0 ? closeAtEnd(rest) : rest);
}

function openTag(source: string | undefined): string {
  return source === undefined
    ? '<untrusted-data>'
    : `<untrusted-data source="${escapeXml(source)}">`;
}

function closeAtEnd(text: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return disarm(text) + (text.endsWith('\n') ? '' : eol) + CLOSE_TAG + eol;
}

/** Content must not be able to close the element it is in. */
function disarm(text: string): string {
  return text.replaceAll(/<(?=\/?\s*untrusted-data)/gi, '&lt;');
}
