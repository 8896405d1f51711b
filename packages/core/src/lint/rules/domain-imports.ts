import { compareBytes } from '../../artifact/compare-bytes.ts';
import type { Domain } from '../../domain/read-domain.ts';
import { compileGlobs, globProblem } from '../../glob/glob.ts';
import { shorten } from '../../text/shorten.ts';
import { atDomain, type Finding } from '../finding.ts';

export interface DomainImport {
  pattern: string;
  index: number;
  ids: readonly string[];
}

export function resolveImports(
  domains: readonly Domain[],
  knownIds: ReadonlySet<string>,
): Map<Domain, DomainImport[]> {
  const importing = domains.filter(({ fields }) => fields.include !== undefined);
  const sorted = importing.length === 0 ? [] : [...knownIds].sort(compareBytes);
  return new Map(
    importing.map((domain) => [
      domain,
      (domain.fields.include ?? []).map((pattern, index) => ({
        pattern,
        index,
        ids: matchingIds(pattern, sorted, knownIds),
      })),
    ]),
  );
}

export function domainImports(domain: Domain, imports: readonly DomainImport[]): Finding[] {
  return imports.flatMap(({ pattern, index, ids }): Finding[] => {
    const place = atDomain(domain, 'include', index);
    const shown = `\`${shorten(pattern)}\``;
    const problem = globProblem(pattern);
    if (problem !== undefined) {
      const message = `${shown} ${problem}, so it matches nothing.`;
      return [{ code: 'lint.domain_import_unresolved', message, place }];
    }
    if (isBroad(pattern)) {
      const message = `${shown} imports from every domain.`;
      return [{ code: 'lint.domain_import_broad_glob', message, place }];
    }
    if (ids.length > 0) return [];
    return [
      { code: 'lint.domain_import_unresolved', message: `${shown} matches no artifact.`, place },
    ];
  });
}

const WILD = /[*?[{]/;

function isBroad(pattern: string): boolean {
  const [first = ''] = pattern.split('/');
  return pattern.includes('**') && /[*?[]/.test(first);
}

/** Returns ids that start with a literal prefix; they are adjacent in sorted order. */
function matchingIds(
  pattern: string,
  sorted: readonly string[],
  knownIds: ReadonlySet<string>,
): string[] {
  const wild = pattern.search(WILD);
  if (wild === -1) return knownIds.has(pattern) ? [pattern] : [];
  // `ops/**` also matches `ops`, which does not start with `ops/`.
  const prefix = pattern.slice(0, wild).replace(/\/$/, '');
  const matches = compileGlobs([pattern], 'domain');
  const found: string[] = [];
  for (let index = firstFrom(sorted, prefix); index < sorted.length; index += 1) {
    const id = sorted[index] ?? '';
    if (!id.startsWith(prefix)) break;
    if (matches(id)) found.push(id);
  }
  return found;
}

function firstFrom(sorted: readonly string[], prefix: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(sorted[middle] ?? '', prefix) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
