import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type {
  ChildLimits,
  DomainCounts,
  DomainMember,
  DomainNode,
  DomainReader,
} from '@catalog/core/domain/domain-reader';
import type { GrantedPart, Narrowing } from '@catalog/core/identity/narrowing';
import { parentPath } from '@catalog/core/text/slash-path';

const PAGE = 200;

/**
 * Restricts domains to the parts that a token covers. A domain above such a part contains only the paths that lead
 * there.
 */
export function narrowDomains(
  inner: DomainReader,
  narrowing: Narrowing,
  findIds: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): DomainReader {
  const { holds, leadsOn, discovers } = narrowing;
  let pendingParts: Promise<readonly GrantedPart[]> | undefined;

  function presentParts(): Promise<readonly GrantedPart[]> {
    pendingParts ??= (async () => {
      const ids = narrowing.parts.flatMap(({ path, subtree }) => (subtree ? [] : [path]));
      const found = ids.length === 0 ? new Set() : await findIds(ids);
      const present: GrantedPart[] = [];
      for (const part of narrowing.parts) {
        const isThere = part.subtree
          ? (await inner.getNode(part.path)) !== undefined
          : found.has(part.path);
        if (isThere) present.push(part);
      }
      return present;
    })();
    return pendingParts;
  }

  const listPartsBelow = async (path: string): Promise<GrantedPart[]> =>
    (await presentParts()).filter((part) => path === '' || part.path.startsWith(`${path}/`));

  async function getNode(path: string): Promise<DomainNode | undefined> {
    if (holds(path)) return inner.getNode(path);
    const below = leadsOn(path) ? await listPartsBelow(path) : [];
    const node = below.length === 0 && path !== '' ? undefined : await inner.getNode(path);
    return (
      node && {
        ...node,
        has_artifacts: below.some((part) => !part.subtree && parentPath(part.path) === path),
        has_children: below.some((part) => part.subtree || parentPath(part.path) !== path),
      }
    );
  }

  async function listChildrenOf(
    path: string,
    { each, all, after = '' }: ChildLimits,
  ): Promise<DomainNode[]> {
    if (holds(path)) return inner.listChildren([path], { each, all, after });
    const names = new Set(
      (await listPartsBelow(path)).flatMap((part) => {
        const domain = part.subtree ? part.path : parentPath(part.path);
        return domain === path ? [] : [childOf(path, domain)];
      }),
    );
    const listed = [...names].filter((name) => compareBytes(name, after) > 0).sort(compareBytes);
    const nodes = await Promise.all(listed.slice(0, each).map(getNode));
    return nodes.filter((node) => node !== undefined).slice(0, all);
  }

  async function countIn(path: string): Promise<DomainCounts[]> {
    if (holds(path)) return inner.countArtifacts([path]);
    if ((await getNode(path)) === undefined) return [];
    const below = await listPartsBelow(path);
    const alone = below.filter(({ subtree }) => !subtree);
    const trees = below.filter(({ subtree }) => subtree).map((part) => part.path);
    const counts = await inner.countArtifacts(trees);
    return [
      {
        path,
        artifact_count: alone.filter((part) => parentPath(part.path) === path).length,
        recursive_count: counts.reduce((sum, one) => sum + one.recursive_count, alone.length),
      },
    ];
  }

  return {
    getNode,
    getDomain: async (path) =>
      (await getNode(path)) === undefined ? undefined : inner.getDomain(path),
    async listChildren(paths, limits) {
      const children: DomainNode[] = [];
      for (const path of paths) {
        const all = limits.all - children.length;
        if (all <= 0) break;
        children.push(...(await listChildrenOf(path, { ...limits, all })));
      }
      return children;
    },
    countArtifacts: async (paths) => (await Promise.all(paths.map(countIn))).flat(),
    async listSmall(paths, fewer_than) {
      const inside = paths.filter(holds);
      const small = new Set(await inner.listSmall(inside, fewer_than));
      for (const path of paths) {
        if (holds(path)) continue;
        const [count] = await countIn(path);
        if (count !== undefined && count.recursive_count < fewer_than) small.add(path);
      }
      return paths.filter((path) => small.has(path));
    },
    async listMembers(query, after, limit) {
      const members: DomainMember[] = [];
      for (let last = after; members.length < limit;) {
        const page = await inner.listMembers(query, last, PAGE);
        members.push(...page.filter(({ id }) => discovers(id)));
        if (page.length < PAGE) break;
        last = page.at(-1);
      }
      return members.slice(0, limit);
    },
    getMembers: async (query, ids) => inner.getMembers(query, ids.filter(discovers)),
    async listTags(path, limit) {
      if (holds(path)) return inner.listTags(path, limit);
      const tags: (readonly string[])[] = [];
      for (const part of await listPartsBelow(path)) {
        if (tags.length >= limit) break;
        if (part.subtree) tags.push(...(await inner.listTags(part.path, limit - tags.length)));
        else {
          const query = { path: parentPath(part.path), folded: [] };
          for (const member of await inner.getMembers(query, [part.path])) tags.push(member.tags);
        }
      }
      return tags;
    },
  };
}

function childOf(path: string, domain: string): string {
  const start = path === '' ? 0 : path.length + 1;
  const slash = domain.indexOf('/', start);
  return slash === -1 ? domain : domain.slice(0, slash);
}
