import { titleOf } from '../domain/domain-path.ts';
import type { MergedDomain } from '../domain/merge-domains.ts';
import type { DomainDescription } from '../ports/domains.ts';
import { lastSegment } from '../text/slash-path.ts';

export function describeDomain({ path, description, keywords }: MergedDomain): DomainDescription {
  return {
    path,
    name: lastSegment(path),
    description: description === '' ? titleOf(path) : description,
    keywords,
  };
}
