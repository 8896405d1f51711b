import type { PackageFile } from '@catalog/core/artifact/types';

/**
 * Rewrites paths in a command. Only a complete path counts: `scripts/log.sh` is not part of `scripts/log.sh.bak` or
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

/** Returns true if the text before an offset continues a variable name, an expansion or an escape. */
function continuesBefore(action: string, offset: number): boolean {
  const before = action[offset - 1];
  const escaped = action[offset - 2] === '\\';
  return before === '}' || escaped || isWord(before) || action.startsWith('${', offset - 2);
}

const WORD = /[\p{L}\p{N}\p{M}_./~$%@+*?[\]\\-]/u;

function isWord(character: string | undefined): boolean {
  return character !== undefined && WORD.test(character);
}
