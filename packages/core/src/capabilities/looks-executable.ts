import { isJsonObject, type Json } from '../json.ts';

const EXECUTABLE_WORDS: ReadonlySet<string> = new Set(
  [
    'command commands cmd exec execute executable run runs runner script scripts shell eval',
    'hook hooks spawn launch launcher helper program binary interpreter entrypoint process',
    'server servers mcp lsp daemon monitor monitors plugin plugins extension extensions',
    'permission permissions approve approved approval approvals autoapprove allow allowed',
    'allowlist trust trusted sandbox bypass yolo unsafe dangerously env environment settings',
    'install installer preinstall postinstall startup init setup bootstrap statusline',
  ].flatMap((line) => line.split(' ')),
);

const NARROWING_NAME = /^(?:dis|den[iy]|exclud|block|forbid|without|no[-_A-Z])/;

const COMMAND_START =
  /^\s*(?:[!@]\s*)?(?:sudo|sh|bash|zsh|dash|ksh|pwsh|powershell|cmd|node|deno|bunx?|npx|npm|pnpm|yarn|uvx?|pipx?3?|python[\d.]*|ruby|perl|php|java|cargo|dotnet|docker|podman|kubectl|curl|wget|ssh|scp|rm|mv|chmod|chown|touch|printf|echo|xargs|tee|nohup|osascript|eval|exec|base64)(?:\.exe)?\s+\S/;

const PROGRAM_PATH = /^\s*(?:#!|![`{]|\.{1,2}[\\/]|~[\\/]|\/(?:bin|usr|opt|tmp|etc|home)\/)/;

const SHELL_SIGNS = /\$\(|`|&&|\|\||\|\s*(?:sh|bash|zsh|node|python|perl|ruby)\b|<\(/;

export function looksExecutable(key: string, value: Json): boolean {
  if (isEmpty(value)) return false;
  if (hasExecutableName(key)) return true;
  if (typeof value === 'string') return looksLikeCommand(value);
  if (Array.isArray(value)) return value.some((item) => looksExecutable('', item));
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([name, member]) => looksExecutable(name, member))
  );
}

/** Returns true if a value contains a map with a member that might run something. Plain strings do not count. */
export function holdsExecutableMember(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsExecutableMember);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) =>
      (hasExecutableName(name) && !isEmpty(member)) || holdsExecutableMember(member),
  );
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function hasExecutableName(key: string): boolean {
  return !NARROWING_NAME.test(key) && wordsOf(key).some((word) => EXECUTABLE_WORDS.has(word));
}

/** Splits `onStart`, `on_start`, `on-start` and `on.start` into lowercase words. */
function wordsOf(key: string): string[] {
  return key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
}

function looksLikeCommand(text: string): boolean {
  return COMMAND_START.test(text) || PROGRAM_PATH.test(text) || SHELL_SIGNS.test(text);
}
