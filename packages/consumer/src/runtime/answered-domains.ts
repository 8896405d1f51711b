import type {
  DomainMapRecord,
  DomainSearchResponse,
  Subdomain,
} from '@catalog/contract/records/discovery';
import { titleOf } from '@catalog/core/domain/domain-path';
import type { DomainNote } from '../cache/domain-notes.ts';

/** What a map tells of the domains in it. */
export function domainsOfMap({
  path,
  description,
  keywords,
  subdomains,
}: DomainMapRecord): DomainNote[] {
  return [{ path, description, keywords }, ...subdomains.flatMap(flatten)].filter(isDescribed);
}

function flatten({ path, description, subdomains = [] }: Subdomain): DomainNote[] {
  return [{ path, description, keywords: [] }, ...subdomains.flatMap(flatten)];
}

export function domainsOfSearch({ domains }: DomainSearchResponse): DomainNote[] {
  return domains
    .map(({ path, description, keywords }) => ({ path, description, keywords }))
    .filter(isDescribed);
}

/** A domain nobody describes is shown under its own name; that is no description to be found by. */
function isDescribed({ path, description, keywords }: DomainNote): boolean {
  if (path === '') return false;
  return keywords.length > 0 || (description !== '' && description !== titleOf(path));
}
