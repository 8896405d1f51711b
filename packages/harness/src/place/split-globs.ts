/** Splits patterns at commas and line breaks, but not at a comma in braces. */
export function splitGlobs(list: string): string[] {
  const globs: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= list.length; index += 1) {
    const character = list[index];
    const ends = character === undefined || character === '\n' || character === '\r';
    if (ends) depth = 0;
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (ends || (character === ',' && depth <= 0)) {
      const glob = list.slice(start, index).trim();
      if (glob !== '') globs.push(glob);
      start = index + 1;
    }
  }
  return globs;
}
