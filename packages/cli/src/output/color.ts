/** Returns whether to use colors: https://no-color.org has precedence, then FORCE_COLOR, then the terminal. */
export function wantsColor(
  env: Readonly<Record<string, string | undefined>>,
  stream: { isTTY?: boolean | undefined },
): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}
