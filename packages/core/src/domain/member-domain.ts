import { compareBytes } from '../artifact/compare-bytes.ts';
import { isWithin, parentPath } from '../text/slash-path.ts';

/** What of a `MemberQuery` is listed in the view. */
export interface ListedQuery {
  /** Undefined where the domain itself is not. */
  path: string | undefined;
  folded: readonly string[];
}

/** The domain an artifact is a member of, if it is; `importing` are the domains that import it. */
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
