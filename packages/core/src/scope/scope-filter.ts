import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { compileGlobs, globProblem } from '../glob/glob.ts';
import { shorten } from '../text/shorten.ts';

export { globProblem };

export interface Scope {
  /** Patterns of ids; empty for all. */
  include: string[];
  /** Patterns of ids to exclude, applied after `include`. */
  exclude: string[];
  /** Artifact types; empty for all. */
  type: string[];
}

export interface ScopeEntry {
  id: string;
  type: string;
}

export function compileScope(scope: Scope): (entry: ScopeEntry) => boolean {
  rejectMalformed([...scope.include, ...scope.exclude]);
  const isIncluded = scope.include.length === 0 ? undefined : compileGlobs(scope.include, 'scope');
  const isExcluded = scope.exclude.length === 0 ? undefined : compileGlobs(scope.exclude, 'scope');
  const types = scope.type.length === 0 ? undefined : new Set(scope.type);
  return ({ id, type }) =>
    (types === undefined || types.has(type)) &&
    (isIncluded === undefined || isIncluded(id)) &&
    (isExcluded === undefined || !isExcluded(id));
}

/** Rejects malformed patterns, which would match nothing: a sync could then deliver too little or exclude nothing. */
function rejectMalformed(patterns: readonly string[]): void {
  for (const pattern of patterns) {
    const problem = globProblem(pattern);
    if (problem === undefined) continue;
    throw new CatalogError('config.invalid', `The pattern \`${shorten(pattern)}\` ${problem}.`, {
      details: { value: pattern },
      suggested_action: 'Write a glob over ids, such as ops/** or {ops,shared}/*/check.',
    });
  }
}
