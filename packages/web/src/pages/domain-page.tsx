import type { DomainMapRecord } from '@catalog/contract/records/discovery';
import { titleOf } from '@catalog/core/domain/domain-path';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { isNotFound } from '../api/errors.ts';
import { deprecatedQuery, domainQuery } from '../api/queries.ts';
import { domainHref, searchHref } from '../app/links.ts';
import { useTitle } from '../app/title.ts';
import { ArtifactList } from '../parts/artifact-list.tsx';
import { DomainList } from '../parts/domain-list.tsx';
import { EmptyRegistry } from '../parts/empty-registry.tsx';
import { countOf, formatCount } from '../parts/format.ts';
import { lazyComponent } from '../parts/lazy-component.tsx';
import { Notice, Skeleton } from '../parts/notice.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { SignInHint } from '../parts/sign-in-hint.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { Tags } from '../parts/tags.tsx';
import * as buttonStyles from '../parts/button.module.css';
import * as checkStyles from '../parts/check.module.css';
import * as pageStyles from '../parts/page.module.css';
import * as textStyles from '../parts/text.module.css';
import * as styles from './domain-page.module.css';

const DomainTree = lazyComponent('domain-tree', async () => {
  return (await import('../lazy/domain-tree.tsx')).DomainTree;
});

export function DomainPage({ path }: { path: string }): ReactElement {
  const name = path.split('/').at(-1) ?? '';
  useTitle(path === '' ? 'Browse' : path);
  const domain = useInfiniteQuery(domainQuery(path));
  return (
    <div className={pageStyles.left}>
      <aside className={styles.tree}>
        <h3 id="tree-title">Domains</h3>
        <DomainTree current={path} loading={<Skeleton label="Loading the domain tree" />} />
      </aside>
      <div>
        <Crumbs path={path} />
        <h1>{path === '' ? 'All domains' : escapeControls(name)}</h1>
        <QueryView
          query={domain}
          loading={<Skeleton label="Loading the domain" lines={8} />}
          failed={(error) => isNotFound(error) && <MissingDomain path={path} />}
        >
          {({ pages }) => (
            <>
              <Content path={path} pages={pages} />
              <MoreButton query={domain} />
              <Deprecated path={path} />
            </>
          )}
        </QueryView>
      </div>
    </div>
  );
}

function Content({
  path,
  pages,
}: {
  path: string;
  pages: readonly DomainMapRecord[];
}): ReactElement {
  const {
    description = '',
    keywords = [],
    artifact_count = 0,
    recursive_count = 0,
  } = pages[0] ?? {};
  const subdomains = pages.flatMap((page) => page.subdomains);
  const artifacts = pages.flatMap((page) => page.artifacts ?? []);
  return (
    <>
      {/* the registry returns the name as the description if a domain has none */}
      {description !== titleOf(path) && (
        <p className={pageStyles.lead} dir="auto">
          {escapeControls(description)}
        </p>
      )}
      {keywords.length > 0 && (
        <Tags label="Keywords">
          {keywords.map((keyword) => (
            <li key={keyword}>{escapeControls(keyword)}</li>
          ))}
        </Tags>
      )}
      <p className={textStyles.meta}>
        <span>
          {countOf(recursive_count, 'artifact')}
          {recursive_count > artifact_count && artifact_count > 0
            ? `, ${formatCount(artifact_count)} directly here`
            : ''}
        </span>
        {recursive_count > 0 && (
          <Link className={textStyles.link} href={searchHref(path === '' ? {} : { scope: path })}>
            Search {path === '' ? 'everything' : 'this domain'}
          </Link>
        )}
      </p>
      {path === '' && recursive_count === 0 && <EmptyRegistry />}
      {subdomains.length > 0 && (
        <section>
          <h2>Domains</h2>
          <DomainList path={path} subdomains={subdomains} />
        </section>
      )}
      {artifacts.length > 0 && (
        <section>
          <h2>Artifacts</h2>
          <ArtifactList artifacts={artifacts} />
        </section>
      )}
      {path !== '' && subdomains.length + artifacts.length === 0 && (
        <Notice title="No artifacts here">This domain has a description but no content.</Notice>
      )}
    </>
  );
}

function Deprecated({ path }: { path: string }): ReactElement {
  const [, navigate] = useLocation();
  const isShown = new URLSearchParams(useSearch()).has('deprecated');
  return (
    <section>
      <label className={styles.toggle}>
        <input
          className={checkStyles.check}
          type="checkbox"
          checked={isShown}
          onChange={() =>
            navigate(`${domainHref(path)}${isShown ? '' : '?deprecated=1'}`, { replace: true })
          }
        />
        Show deprecated artifacts
      </label>
      {isShown && <DeprecatedList path={path} />}
    </section>
  );
}

function DeprecatedList({ path }: { path: string }): ReactElement {
  const query = useInfiniteQuery(deprecatedQuery(path));
  return (
    <QueryView query={query} loading={<Skeleton label="Loading deprecated artifacts" lines={3} />}>
      {({ pages }) => {
        const artifacts = pages.flatMap((page) => page.artifacts ?? []);
        return (
          <>
            <h2>Deprecated</h2>
            {artifacts.length === 0 && !query.hasNextPage ? (
              <p className={textStyles.dim}>No artifact here is deprecated.</p>
            ) : (
              <ArtifactList artifacts={artifacts} />
            )}
            <MoreButton query={query} />
          </>
        );
      }}
    </QueryView>
  );
}

function MissingDomain({ path }: { path: string }): ReactElement {
  const parent = path.split('/').slice(0, -1).join('/');
  return (
    <Notice
      title="There is no such domain"
      action={
        <Link className={buttonStyles.button} href={domainHref(parent)}>
          {parent === '' ? 'Show all domains' : `Go to ${escapeControls(parent)}`}
        </Link>
      }
    >
      <code>{escapeControls(path)}</code> does not exist, or you do not have access to anything in
      it. <SignInHint />
    </Notice>
  );
}
