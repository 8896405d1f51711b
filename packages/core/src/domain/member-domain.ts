import { compareBytes } from '../artifact/compare-bytes.ts';
import { isWithin, parentPath } from '../text/slash-path.ts';

export interface ListedQuery {
  /** Path of the domain; undefined if it is unlisted. */
  path: string | undefined;
  folded: readonly string[];
}

export function memberDomain(
  { path, folded }: ListedQuery,
  id: string,
  importing: readonly string[],
  isHidden: (domain: string) => boolean,
): string | undefined {
  const own = parentPath(id);
  if (path !== undefined && (own === path || importing.includes(path))) return path;
  const isBelow = (domain: string): boolean =>
    folded.some((child) => isWithin(domain, child)) && !isHidden(domain);
  return isBelow(own) ? own : importing.filter(isBelow).sort(compareBytes).at(0);
}
