/** The patterns of a comma-separated list; a comma inside braces belongs to its pattern. */
export function splitGlobs(list: string): string[] {
  const globs: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= list.length; index += 1) {
    const character = list[index];
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (index === list.length || (character === ',' && depth <= 0)) {
      const glob = list.slice(start, index).trim();
      if (glob !== '') globs.push(glob);
      start = index + 1;
    }
  }
  return globs;
}
