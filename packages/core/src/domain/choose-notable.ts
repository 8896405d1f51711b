import { compileGlobs } from '../glob/glob.ts';
import { relativePath } from './domain-path.ts';
import type { DomainMember, DomainReader, MemberQuery } from './domain-reader.ts';
import type { MergedDomain } from './merge-domains.ts';

export interface NotableEntry {
  id: string;
  type: string;
  version: string;
  summary: string;
  tags: readonly string[];
  source: 'featured' | 'signal';
  /** Subdomain whose artifacts appear in the requested domain; absent for direct members. */
  folded_from?: string;
}

const PAGE = 100;
/** Maximum number of members that are read to find enough without excluded or deprioritized ones. */
const MAX_MEMBERS_READ = 1000;

/** Returns featured members in the order of the author, then others by loads and id. Deprioritized ones are last. */
export async function chooseNotable(
  reader: DomainReader,
  query: MemberQuery,
  domain: MergedDomain | undefined,
  count: number,
): Promise<NotableEntry[]> {
  if (count === 0) return [];
  const isExcluded = compileGlobs(domain?.exclude ?? [], 'domain');
  const isLast = compileGlobs(domain?.deprioritize ?? [], 'domain');
  const ids = domain?.featured.filter((id) => !isExcluded(id)) ?? [];
  const featured = await listFeatured(reader, query, ids);
  const chosen = new Set(featured.map(({ id }) => id));
  const first: DomainMember[] = [];
  const last: DomainMember[] = [];
  let after: DomainMember | undefined;
  for (let read = 0; read < MAX_MEMBERS_READ && first.length + featured.length < count;) {
    const page = await reader.listMembers(query, after, PAGE);
    for (const member of page) {
      if (chosen.has(member.id) || isExcluded(member.id)) continue;
      (isLast(member.id) ? last : first).push(member);
    }
    if (page.length < PAGE) break;
    read += page.length;
    after = page.at(-1);
  }
  return [
    ...featured.map((member) => toEntry(member, 'featured', query.path)),
    ...[...first, ...last].map((member) => toEntry(member, 'signal', query.path)),
  ].slice(0, count);
}

async function listFeatured(
  reader: DomainReader,
  query: MemberQuery,
  ids: readonly string[],
): Promise<DomainMember[]> {
  if (ids.length === 0) return [];
  const members = new Map(
    (await reader.getMembers(query, ids)).map((member) => [member.id, member]),
  );
  return ids.flatMap((id) => members.get(id) ?? []);
}

function toEntry(
  member: DomainMember,
  source: NotableEntry['source'],
  requested: string,
): NotableEntry {
  const { id, type, version, description, tags, domain } = member;
  const entry: NotableEntry = { id, type, version, summary: description, tags, source };
  return domain === requested ? entry : { ...entry, folded_from: relativePath(domain, requested) };
}
