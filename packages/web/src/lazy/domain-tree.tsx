import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Tree, TreeItem, TreeItemContent, type Key } from 'react-aria-components/Tree';
import type { DomainMapRecord, Subdomain } from '@catalog/contract/records/discovery';
import { domainQuery } from '../api/queries.ts';
import { domainHref } from '../app/links.ts';
import { Icon } from '../parts/icon.tsx';
import { Skeleton } from '../parts/notice.tsx';
import * as textStyles from '../parts/text.module.css';
import * as styles from './domain-tree.module.css';

/** Levels per request; opening a domain requests the next ones. */
const DEPTH = 2;

export function DomainTree({ current }: { current: string }): ReactElement {
  const query = useInfiniteQuery(domainQuery('', DEPTH));
  const { data } = query;
  const [opened, setOpened] = useState<ReadonlySet<Key>>(new Set<Key>());
  const expanded = new Set<Key>([...opened, ...ancestors(current)]);
  if (data === undefined) return <Skeleton label="Loading the domain tree" />;
  const domains = data.pages.flatMap((page) => page.subdomains);
  if (domains.length === 0) return <p className={textStyles.note}>No domains yet.</p>;
  return (
    <Tree
      className={styles.tree}
      aria-labelledby="tree-title"
      selectionMode="none"
      expandedKeys={expanded}
      onExpandedChange={(keys) => setOpened(new Set(keys))}
    >
      {domains.map((domain) => (
        <Branch key={domain.path} domain={domain} current={current} open={expanded} />
      ))}
      <MoreItem id="" query={query} />
    </Tree>
  );
}

function Branch({
  domain,
  current,
  open,
}: {
  domain: Subdomain;
  current: string;
  open: ReadonlySet<Key>;
}): ReactElement {
  const isOpen = open.has(domain.path);
  const known = domain.subdomains ?? [];
  const query = useInfiniteQuery({
    ...domainQuery(domain.path, DEPTH),
    enabled: isOpen && known.length === 0,
  });
  const loaded = query.data?.pages.flatMap((page) => page.subdomains) ?? [];
  const children = known.length > 0 ? known : loaded;
  const isLeaf = children.length === 0;
  return (
    <TreeItem
      id={domain.path}
      textValue={escapeControls(domain.name)}
      href={domainHref(domain.path)}
      className={domain.path === current ? styles.current : styles.item}
      hasChildItems={!isLeaf}
    >
      <TreeItemContent>
        <span className={styles.row}>
          <Button slot="chevron" className={styles.chevron} isDisabled={isLeaf}>
            <Icon name="chevron" size={12} />
          </Button>
          <span>{escapeControls(domain.name)}</span>
        </span>
      </TreeItemContent>
      {children.map((child) => (
        <Branch key={child.path} domain={child} current={current} open={open} />
      ))}
      {known.length === 0 && <MoreItem id={domain.path} query={query} />}
    </TreeItem>
  );
}

function MoreItem({
  id,
  query: { data, hasNextPage, fetchNextPage },
}: {
  id: string;
  query: Pick<
    UseInfiniteQueryResult<{ pages: readonly DomainMapRecord[] }>,
    'data' | 'hasNextPage' | 'fetchNextPage'
  >;
}): ReactElement | null {
  // Artifacts come after the subdomains and are not part of the tree.
  const isComplete = (data?.pages.at(-1)?.artifacts?.length ?? 0) > 0;
  if (!hasNextPage || isComplete) return null;
  return (
    <TreeItem
      id={`${id} more`}
      textValue="More domains"
      className={styles.more}
      onAction={() => void fetchNextPage()}
    >
      <TreeItemContent>
        <span className={styles.row}>More domains…</span>
      </TreeItemContent>
    </TreeItem>
  );
}

/** Returns a path and its parents. */
function ancestors(path: string): string[] {
  const parts = path === '' ? [] : path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
