import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { Link, useSearch } from 'wouter';
import { isNotFound } from '../../api/errors.ts';
import { artifactQuery, dependentsQuery, lineageQuery, versionsQuery } from '../../api/queries.ts';
import {
  ARTIFACT_TABS,
  artifactHref,
  markdownHref,
  searchHref,
  type ArtifactTab,
} from '../../app/links.ts';
import { useTitle } from '../../app/title.ts';
import { useIsNarrow } from '../../parts/use-is-narrow.ts';
import { TypeLabel } from '../../parts/artifact-name.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Crumbs } from '../../parts/crumbs.tsx';
import { formatCount } from '../../parts/format.ts';
import { HARNESS_NAMES } from '@catalog/harness/product-names';
import { lazyComponent } from '../../parts/lazy-component.tsx';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { HiddenBadge } from './hidden-badge.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { listFiles } from './record-files.ts';
import { importReader, readingQuery } from './reading-query.ts';
import { SignInHint } from '../../parts/sign-in-hint.tsx';
import { About, Actions, SidePanel } from './side-panel.tsx';
import { isSameVersion } from './version-place.ts';
import type { Pin } from './pin.ts';
import { classes } from '../../parts/classes.ts';
import * as buttonStyles from '../../parts/button.module.css';
import * as pageStyles from '../../parts/page.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './artifact-page.module.css';

const FilesTab = lazyComponent('files', async () => (await import('./files-tab.tsx')).FilesTab);
const VersionsTab = lazyComponent('versions', async () => {
  return (await import('./versions-tab.tsx')).VersionsTab;
});
const HarnessesTab = lazyComponent('harnesses', async () => {
  return (await import('./harnesses-tab.tsx')).HarnessesTab;
});
const ProvenanceTab = lazyComponent('provenance', async () => {
  return (await import('./provenance-tab.tsx')).ProvenanceTab;
});

export function ArtifactPage({ id }: { id: string }): ReactElement {
  const search = new URLSearchParams(useSearch());
  const pin: Pin = { version: search.get('version') ?? '', layer: search.get('layer') ?? '' };
  useTitle(id);
  const query = useQuery(artifactQuery(id, pin.version, pin.layer));
  useEffect(() => void importReader(), []);
  const facts = [
    useQuery(versionsQuery(id)),
    useInfiniteQuery(dependentsQuery(id)),
    useQuery(lineageQuery(id, pin.version, pin.layer)),
  ];
  const loading = <Loading id={id} />;
  return (
    <QueryView
      query={query}
      loading={loading}
      failed={(error) =>
        isNotFound(error) ? (
          <MissingArtifact id={id} pin={pin} />
        ) : (
          <div className={pageStyles.page}>
            <Failure error={error} onRetry={() => void query.refetch()} />
          </div>
        )
      }
    >
      {(record) =>
        // The facts are above the content on narrow screens, where a later change would move it.
        facts.some(({ isPending }) => isPending) ? loading : <Loaded record={record} pin={pin} />
      }
    </QueryView>
  );
}

function Loading({ id }: { id: string }): ReactElement {
  return (
    <div className={classes(pageStyles.two, styles.artifact)}>
      <div>
        <Crumbs path={id} />
        <h1 className={styles.title}>{escapeControls(id.split('/').at(-1) ?? '')}</h1>
        <Skeleton label="Loading the artifact" lines={10} />
      </div>
    </div>
  );
}

function Loaded({ record, pin }: { record: ArtifactRecord; pin: Pin }): ReactElement {
  const { id, type } = record;
  const tab = toTab(new URLSearchParams(useSearch()).get('tab'));
  const reading = useQuery(readingQuery(record));
  const versions = useQuery(versionsQuery(id));
  const lineage = useQuery(lineageQuery(id, pin.version, pin.layer)).data;
  const isNarrow = useIsNarrow();
  const counts: Partial<Record<ArtifactTab, number>> = {
    files: listFiles(record).length,
    harnesses: Object.keys(HARNESS_NAMES).length,
    ...(versions.data === undefined ? {} : { versions: versions.data.versions.length }),
  };
  const artifact = reading.data?.artifact;
  const latest = versions.data?.versions.find((entry) => entry.latest);
  const isOther = latest !== undefined && !isSameVersion(latest, record);
  // Description and side panel need the parsed artifact, and would move the page if they came later.
  if (reading.isPending) return <Loading id={id} />;
  const loading = <Skeleton label="Loading" lines={8} />;
  const side = { record, lineage, isOther, reading: reading.data };
  return (
    <div className={classes(pageStyles.two, styles.artifact)}>
      <link rel="alternate" type="text/markdown" href={markdownHref(id, pin.version, pin.layer)} />
      <header className={styles.head}>
        <Crumbs path={id} />
        <h1 className={styles.title}>
          {escapeControls(id.split('/').at(-1) ?? '')}{' '}
          <TypeLabel type={type} className={styles.type} />
        </h1>
        {artifact !== undefined && artifact.description !== '' && (
          <p className={pageStyles.lead} dir="auto">
            {escapeControls(artifact.description)}
          </p>
        )}
        {reading.data && <HiddenBadge findings={reading.data.hidden} />}
        {isOther && (
          <p className={textStyles.hint}>
            This is version {record.version}
            {latest.layer !== record.layer && ` of the layer ${record.layer}`}.{' '}
            <Link className={textStyles.link} href={artifactHref(id, { tab })}>
              Show the latest, {latest.version}
              {latest.layer !== record.layer && ` of ${latest.layer}`}
            </Link>
          </p>
        )}
        {record.deprecated && <Deprecated record={record} />}
      </header>
      {isNarrow && (
        <aside aria-label="Install">
          <Actions {...side} />
        </aside>
      )}
      <div className={styles.main}>
        <nav className={styles.tabs} aria-label="Artifact">
          {ARTIFACT_TABS.map((name) => (
            <Link
              key={name}
              href={artifactHref(id, { tab: name, ...pin })}
              aria-current={name === tab ? 'page' : undefined}
            >
              {name}
              {counts[name] !== undefined && <i>{formatCount(counts[name])}</i>}
            </Link>
          ))}
        </nav>
        {tab === 'overview' && <OverviewTab record={record} reading={reading} />}
        {tab === 'files' && <FilesTab {...{ record, pin, loading }} />}
        {tab === 'versions' && <VersionsTab {...{ record, versions, loading }} />}
        {tab === 'harnesses' && <HarnessesTab {...{ record, pin, reading, loading }} />}
        {tab === 'provenance' && (
          <ProvenanceTab {...{ record, lineage, reading: reading.data, versions, loading }} />
        )}
      </div>
      {/* keeps the order of focus equal to the visual order */}
      {isNarrow ? (
        <aside aria-label="Facts">
          <About {...side} />
        </aside>
      ) : (
        <SidePanel {...side} />
      )}
    </div>
  );
}

function toTab(value: string | null): ArtifactTab {
  return ARTIFACT_TABS.find((tab) => tab === value) ?? 'overview';
}

function Deprecated({ record }: { record: ArtifactRecord }): ReactElement {
  return (
    <Notice kind="warn" title="Deprecated">
      {record.replaced_by === undefined ? (
        escapeControls(
          record.deprecation_warning ?? 'The author no longer recommends this artifact.',
        )
      ) : (
        <>
          {record.id} {record.version} is deprecated. Use{' '}
          <Link
            className={textStyles.link}
            href={artifactHref(record.replaced_by.split('@')[0] ?? '')}
          >
            {escapeControls(record.replaced_by)}
          </Link>{' '}
          instead.
        </>
      )}
    </Notice>
  );
}

function MissingArtifact({ id, pin: { version, layer } }: { id: string; pin: Pin }): ReactElement {
  const isPinned = version !== '' || layer !== '';
  const name = id.split('/').at(-1) ?? id;
  return (
    <div className={pageStyles.page}>
      <Crumbs path={id} />
      <Notice
        level={1}
        title={isPinned ? 'There is no such version' : 'There is no such artifact'}
        action={
          isPinned ? (
            <Link className={buttonStyles.button} href={artifactHref(id)}>
              Show the latest version
            </Link>
          ) : (
            <Link
              className={buttonStyles.button}
              href={searchHref({ q: name.replaceAll('-', ' ') })}
            >
              Search for “{escapeControls(name.replaceAll('-', ' '))}”
            </Link>
          )
        }
      >
        <code>{escapeControls(version === '' ? id : `${id}@${version}`)}</code> does not exist, or
        you do not have access to it. <SignInHint />
      </Notice>
    </div>
  );
}
