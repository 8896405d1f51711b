/** A line of a text and where it stands, its line break left out. */
export interface Line {
  start: number;
  end: number;
  text: string;
}

/** The lines of a text; the byte order mark is no part of the first. */
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

/** A line that begins or ends a block of ours. */
export interface Marker {
  kind: 'begin' | 'end';
  id: string;
}

const MARKER = /^ {0,3}<!-- catalog:(begin|end):(\S+) -->[ \t]*$/;

/** The marker a line is; undefined where it is none. */
export function readMarker(line: string): Marker | undefined {
  const match = MARKER.exec(line);
  if (match === null) return undefined;
  const [, kind, name = ''] = match;
  return { kind: kind === 'begin' ? 'begin' : 'end', id: decodeId(name) };
}

/** The line that begins or ends the block of an id. */
export function writeMarker({ kind, id }: Marker): string {
  return `<!-- catalog:${kind}:${encodeId(id)} -->`;
}

/** The line, so that it is no marker. */
export function neutralize(line: string): string {
  return readMarker(line) === undefined ? line : line.replace('catalog:', 'catalog: ');
}

/** Two hyphens and an angle bracket would end the comment early; a space would end the name. */
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
