import { editManagedFile } from '@catalog/harness/managed/edit-managed-file';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import type { Format, NewLine } from './formats.ts';

export interface Both {
  mine: string;
  shared: string;
}

type Edit = (text: string) => string;

/** Makes one random edit of the user in both; undefined if no line is suitable. */
export function editBoth(
  { mine, shared }: Both,
  format: Format,
  number: number,
  random: SeededRandom,
): Both | undefined {
  const edit = random.pick([atEnd, atStart, newLine, newLine, newLine, withoutLine])(
    { mine, shared },
    format,
    number,
    random,
  );
  if (edit === undefined) return undefined;
  const both = { mine: edit(mine), shared: edit(shared) };
  return isReadable(both.mine, format) ? both : undefined;
}

function isReadable(text: string, { file }: Format): boolean {
  try {
    editManagedFile(text, [], undefined, file);
    return true;
  } catch {
    return false;
  }
}

function eolOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

function atEnd({ mine }: Both, { note }: Format, number: number): Edit {
  const eol = eolOf(mine);
  const lead = /[\r\n]$/.test(mine) ? '' : eol;
  return (text) => text + lead + note.line(number) + eol;
}

function atStart({ mine }: Both, { note }: Format, number: number): Edit {
  const line = note.line(number) + eolOf(mine);
  return (text) => text.replace(/^\uFEFF?/, (mark) => mark + line);
}

function newLine(
  both: Both,
  { note, member }: Format,
  number: number,
  random: SeededRandom,
): Edit | undefined {
  const chosen: NewLine = random.pick(member === undefined ? [note] : [note, member]);
  const found = findLine(both, chosen.before, random);
  if (found === undefined) return undefined;
  const indent = /^[ \t]*/.exec(found)?.[0] ?? '';
  const line = indent + chosen.line(number) + eolOf(found);
  return (text) => text.replace(found, () => line + found);
}

function withoutLine(
  both: Both,
  { whole }: Format,
  _number: number,
  random: SeededRandom,
): Edit | undefined {
  const found = whole === undefined ? undefined : findLine(both, whole, random);
  return found === undefined ? undefined : (text) => text.replace(found, '');
}

function findLine(
  { mine, shared }: Both,
  pattern: RegExp,
  random: SeededRandom,
): string | undefined {
  const lines = mine.replace(/^\uFEFF/, '').match(/[^\r\n]*(?:\r\n|\n|\r)/g) ?? [];
  const unique = lines.filter(
    (line) => pattern.test(line.trimEnd()) && isOnce(mine, line) && isOnce(shared, line),
  );
  return unique.length === 0 ? undefined : random.pick(unique);
}

function isOnce(text: string, line: string): boolean {
  const first = text.indexOf(line);
  if (first === -1 || text.includes(line, first + 1)) return false;
  return first === 0 || /[\r\n\uFEFF]/.test(text.charAt(first - 1));
}
