import type { PackageFile } from '@catalog/core/artifact/types';

/**
 * The command of a hook with the paths of its bundled files made to point where they land. A path
 * counts only as a whole: `scripts/log.sh` is neither in `scripts/log.sh.bak` nor in
 * `/opt/scripts/log.sh`. A leading `./` stays.
 */
export function rewriteHookAction(
  action: string,
  resources: readonly PackageFile[],
  folder: string,
): string {
  const paths = resources.map(({ path }) => path).sort((a, b) => b.length - a.length);
  let rewritten = '';
  let offset = 0;
  while (offset < action.length) {
    const path = startsWord(action, offset)
      ? paths.find((candidate) => isWholePath(action, offset, candidate))
      : undefined;
    if (path === undefined) {
      rewritten += action[offset];
      offset += 1;
    } else {
      rewritten += `${folder}/${path}`;
      offset += path.length;
    }
  }
  return rewritten;
}

function startsWord(action: string, offset: number): boolean {
  if (action.startsWith('./', offset - 2)) return !continuesBefore(action, offset - 2);
  return !continuesBefore(action, offset);
}

function isWholePath(action: string, offset: number, path: string): boolean {
  const end = offset + path.length;
  return action.startsWith(path, offset) && action[end] !== '{' && !isWord(action[end]);
}

/** A word that began earlier: a variable's name, or what follows an expansion or an escaped sign. */
function continuesBefore(action: string, offset: number): boolean {
  const before = action[offset - 1];
  const escaped = action[offset - 2] === '\\';
  return before === '}' || escaped || isWord(before) || action.startsWith('${', offset - 2);
}

/** Name characters, and the signs of expansion, escape and pattern that lengthen a word. */
const WORD = /[\p{L}\p{N}\p{M}_./~$%@+*?[\]\\-]/u;

function isWord(character: string | undefined): boolean {
  return character !== undefined && WORD.test(character);
}
