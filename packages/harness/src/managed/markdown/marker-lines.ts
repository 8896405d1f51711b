/** Line without its line break. */
export interface Line {
  start: number;
  end: number;
  text: string;
}

/** Splits lines; the first one does not include a byte order mark. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  const breaks = /\r\n|\n|\r/g;
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (const { index, 0: sign } of text.matchAll(breaks)) {
    lines.push({ start, end: index, text: text.slice(start, index) });
    start = index + sign.length;
  }
  lines.push({ start, end: text.length, text: text.slice(start) });
  return lines;
}

export interface Marker {
  kind: 'begin' | 'end';
  id: string;
}

const MARKER = /^ {0,3}<!-- catalog:(begin|end):(\S+) -->[ \t]*$/;

export function readMarker(line: string): Marker | undefined {
  const match = MARKER.exec(line);
  if (match === null) return undefined;
  const [, kind, name = ''] = match;
  return { kind: kind === 'begin' ? 'begin' : 'end', id: decodeId(name) };
}

export function writeMarker({ kind, id }: Marker): string {
  return `<!-- catalog:${kind}:${encodeId(id)} -->`;
}

export function escapeMarker(line: string): string {
  return readMarker(line) === undefined ? line : line.replace('catalog:', 'catalog: ');
}

/** Encodes an id for a marker: two hyphens and an angle bracket would end the comment, and a space the name. */
function encodeId(id: string): string {
  return id
    .toWellFormed()
    .replaceAll(/[^\w./@+:~-]+/g, encodeURIComponent)
    .replaceAll('--', '-%2D');
}

function decodeId(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
