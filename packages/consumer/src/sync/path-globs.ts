import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { compileGlobs, globProblem } from '@catalog/core/glob/glob';

/** Compiles globs over paths relative to a target; a folder stands for everything in it. */
export function compilePathGlobs(
  globs: readonly string[],
  flag: string,
): (path: string) => boolean {
  const patterns = globs.map((glob) => glob.replace(/^\.\//, '').replace(/\/+$/, ''));
  for (const pattern of patterns) {
    const problem = globProblem(pattern);
    if (problem === undefined) continue;
    throw new CatalogError('config.invalid', `The pattern \`${pattern}\` of ${flag} ${problem}.`, {
      details: { value: pattern },
      suggested_action: 'Write a glob over paths, such as .claude/skills/** or AGENTS.md.',
    });
  }
  return compileGlobs([...patterns, ...patterns.map((pattern) => `${pattern}/**`)], 'scope');
}
