import type { ScopePreview } from '@catalog/contract/records/discovery';
import type { Layer } from '@catalog/contract/records/layer';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { domainQuery, layersQuery, popularQuery, recentQuery, scopeQuery } from '../api/queries.ts';
import { layerHref, searchHref } from '../app/links.ts';
import { useTitle } from '../app/title.ts';
import { ArtifactList, type ListedArtifact } from '../parts/artifact-list.tsx';
import { TypeLabel } from '../parts/artifact-name.tsx';
import { Command } from '../parts/command.tsx';
import { DomainList } from '../parts/domain-list.tsx';
import { EmptyRegistry } from '../parts/empty-registry.tsx';
import { countOf, formatCount } from '../parts/format.ts';
import { Skeleton } from '../parts/notice.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import * as cardStyles from '../parts/card.module.css';
import * as pageStyles from '../parts/page.module.css';
import * as textStyles from '../parts/text.module.css';
import * as styles from './home-page.module.css';

const SHOWN_DOMAINS = 20;

export function HomePage(): ReactElement {
  useTitle('');
  const root = useInfiniteQuery(domainQuery(''));
  const scope = useQuery(scopeQuery);
  const recent = useQuery(recentQuery);
  const layers = useQuery(layersQuery());
  const popular = useQuery(popularQuery);
  // The same number as on the page of the root domain: neither counts deprecated artifacts.
  const count = root.data?.pages[0]?.recursive_count ?? 0;
  // The side column appears at once, and on narrow screens after the content above it.
  const isComplete = [root, scope, recent, layers, popular].every(({ isPending }) => !isPending);
  return (
    <div className={pageStyles.two}>
      <div>
        <header className={styles.head}>
          <h1>Catalog</h1>
          <p className={pageStyles.lead}>
            {scope.data === undefined || count === 0
              ? 'Everything your agents are made of.'
              : `${countOf(count, 'artifact')} in ${countOf(scope.data.layers.length, 'layer')}.`}
          </p>
        </header>
        <QueryView query={root} loading={<Skeleton label="Loading domains" lines={10} />}>
          {({ pages: [first] }) => {
            const { subdomains = [], notable = [] } = first ?? {};
            const hasMore = subdomains.length > SHOWN_DOMAINS || root.hasNextPage;
            return (
              <>
                {count === 0 && <EmptyRegistry />}
                {subdomains.length > 0 && (
                  <section>
                    <h2>Domains</h2>
                    <DomainList path="" subdomains={subdomains.slice(0, SHOWN_DOMAINS)} />
                    {hasMore && (
                      <Link className={textStyles.smallLink} href="/browse">
                        Browse all domains
                      </Link>
                    )}
                  </section>
                )}
                <Recent artifacts={recent.data?.artifacts ?? []} />
                {!recent.isPending && <Popular artifacts={popular.data?.artifacts ?? []} />}
                {notable.length > 0 && !recent.isPending && !popular.isPending && (
                  <section>
                    <h2>Worth a look</h2>
                    <ArtifactList artifacts={notable} />
                  </section>
                )}
              </>
            );
          }}
        </QueryView>
      </div>
      {isComplete && (
        <aside className={styles.aside}>
          {scope.data !== undefined && <Types scope={scope.data} />}
          <Layers layers={layers.data?.layers.toReversed() ?? []} />
          <section className={cardStyles.card}>
            <h3>Use it in a project</h3>
            <Command text={`catalog init --registry ${location.origin}`} label="Copy the command" />
            <p className={textStyles.note}>
              Chooses the harnesses of a project. Then <code>catalog sync</code> installs what you
              can see here.
            </p>
          </section>
        </aside>
      )}
    </div>
  );
}

function Types({ scope }: { scope: ScopePreview }): ReactElement | null {
  const types = Object.entries(scope.by_type).toSorted(([, a], [, b]) => b - a);
  if (types.length === 0) return null;
  return (
    <section className={cardStyles.card}>
      <h3>Types</h3>
      <ul className={styles.counts}>
        {types.map(([type, count]) => (
          <li key={type}>
            <Link href={searchHref({ type })}>
              <TypeLabel type={type} />
              <span className={styles.count}>{formatCount(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Recent({ artifacts }: { artifacts: readonly ListedArtifact[] }): ReactElement | null {
  if (artifacts.length === 0) return null;
  return (
    <section>
      <div className={pageStyles.row}>
        <h2>Recently changed</h2>
        <a className={textStyles.smallLink} href="/v1/recent.atom">
          Atom feed
        </a>
      </div>
      <ArtifactList artifacts={artifacts} />
    </section>
  );
}

function Popular({ artifacts }: { artifacts: readonly ListedArtifact[] }): ReactElement | null {
  if (artifacts.length === 0) return null;
  return (
    <section>
      <h2>Popular</h2>
      <ArtifactList artifacts={artifacts} />
    </section>
  );
}

const SHOWN_LAYERS = 6;

function Layers({ layers }: { layers: readonly Layer[] }): ReactElement | null {
  if (layers.length === 0) return null;
  return (
    <section className={cardStyles.card}>
      <h3>Layers</h3>
      <ul className={styles.counts}>
        {layers.slice(0, SHOWN_LAYERS).map(({ id, last_ingested_at }) => (
          <li key={id}>
            <Link href={layerHref(id)}>
              <span>{id}</span>
              <span className={styles.count}>
                {last_ingested_at === undefined ? (
                  'not ingested'
                ) : (
                  <RelativeTime value={last_ingested_at} />
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {layers.length > SHOWN_LAYERS && (
        <Link className={textStyles.smallLink} href="/layers">
          All {formatCount(layers.length)} layers
        </Link>
      )}
    </section>
  );
}
