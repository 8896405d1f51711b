import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { Link, useSearch } from 'wouter';
import { isNotFound } from '../../api/errors.ts';
import { artifactQuery, dependentsQuery, layersQuery, versionsQuery } from '../../api/queries.ts';
import {
  ARTIFACT_TABS,
  artifactHref,
  markdownHref,
  searchHref,
  type ArtifactTab,
} from '../../app/links.ts';
import { useTitle } from '../../app/title.ts';
import { TypeLabel } from '../../parts/artifact-name.tsx';
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
import { SidePanel } from './side-panel.tsx';

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
  const version = new URLSearchParams(useSearch()).get('version') ?? '';
  useTitle(id);
  const query = useQuery(artifactQuery(id, version));
  useEffect(() => void importReader(), []);
  const facts = [
    useQuery(versionsQuery(id)),
    useQuery(layersQuery()),
    useInfiniteQuery(dependentsQuery(id)),
  ];
  const loading = <Loading id={id} />;
  return (
    <QueryView
      query={query}
      loading={loading}
      failed={(error) => isNotFound(error) && <MissingArtifact id={id} version={version} />}
    >
      {(record) =>
        // The facts are above the text on narrow screens; later, they would move it.
        facts.some(({ isPending }) => isPending) ? (
          loading
        ) : (
          <Loaded record={record} pinned={version} />
        )
      }
    </QueryView>
  );
}

function Loading({ id }: { id: string }): ReactElement {
  return (
    <div className="page two artifact">
      <div>
        <Crumbs path={id} />
        <h1 className="id-title">{escapeControls(id.split('/').at(-1) ?? '')}</h1>
        <Skeleton label="Loading the artifact" lines={10} />
      </div>
    </div>
  );
}

function Loaded({ record, pinned }: { record: ArtifactRecord; pinned: string }): ReactElement {
  const { id, type } = record;
  const tab = toTab(new URLSearchParams(useSearch()).get('tab'));
  const reading = useQuery(readingQuery(record));
  const versions = useQuery(versionsQuery(id));
  const counts: Partial<Record<ArtifactTab, number>> = {
    files: listFiles(record).length,
    harnesses: Object.keys(HARNESS_NAMES).length,
    ...(versions.data === undefined ? {} : { versions: versions.data.versions.length }),
  };
  const artifact = reading.data?.artifact;
  const latest = versions.data?.versions.find((entry) => entry.latest)?.version;
  const isOld = pinned !== '' && latest !== undefined && latest !== record.version;
  // The description and the side panel need the parsed record; later, they would move the page.
  if (reading.isPending) return <Loading id={id} />;
  const loading = <Skeleton label="Loading" lines={8} />;
  return (
    <div className="page two artifact">
      <link rel="alternate" type="text/markdown" href={markdownHref(id, pinned)} />
      <header className="artifact-head">
        <Crumbs path={id} />
        <h1 className="id-title">
          {escapeControls(id.split('/').at(-1) ?? '')} <TypeLabel type={type} />
        </h1>
        {artifact !== undefined && artifact.description !== '' && (
          <p className="lead">{escapeControls(artifact.description)}</p>
        )}
        {reading.data && <HiddenBadge findings={reading.data.hidden} />}
        {isOld && (
          <p className="hint">
            This is version {record.version}.{' '}
            <Link className="link" href={artifactHref(id, { tab })}>
              Show the latest, {latest}
            </Link>
          </p>
        )}
        {record.deprecated && <Deprecated record={record} />}
      </header>
      <SidePanel record={record} reading={reading.data} />
      <div className="artifact-main">
        <nav className="tabs" aria-label="Artifact">
          {ARTIFACT_TABS.map((name) => (
            <Link
              key={name}
              href={artifactHref(id, { tab: name, version: pinned })}
              aria-current={name === tab ? 'page' : undefined}
            >
              {name}
              {counts[name] !== undefined && <i>{formatCount(counts[name])}</i>}
            </Link>
          ))}
        </nav>
        {tab === 'overview' && <OverviewTab record={record} reading={reading} />}
        {tab === 'files' && <FilesTab {...{ record, pinned, loading }} />}
        {tab === 'versions' && <VersionsTab {...{ record, versions, loading }} />}
        {tab === 'harnesses' && <HarnessesTab {...{ record, reading, loading }} />}
        {tab === 'provenance' && (
          <ProvenanceTab {...{ record, reading: reading.data, versions, loading }} />
        )}
      </div>
    </div>
  );
}

function toTab(value: string | null): ArtifactTab {
  return ARTIFACT_TABS.find((tab) => tab === value) ?? 'overview';
}

function Deprecated({ record }: { record: ArtifactRecord }): ReactElement {
  return (
    <Notice kind="warn" title="Deprecated">
      {escapeControls(
        record.deprecation_warning ?? 'The author no longer recommends this artifact.',
      )}
      {record.replaced_by !== undefined && (
        <>
          {' '}
          Use{' '}
          <Link className="link" href={artifactHref(record.replaced_by.split('@')[0] ?? '')}>
            {escapeControls(record.replaced_by)}
          </Link>{' '}
          instead.
        </>
      )}
    </Notice>
  );
}

function MissingArtifact({ id, version }: { id: string; version: string }): ReactElement {
  const name = id.split('/').at(-1) ?? id;
  return (
    <div className="page">
      <Crumbs path={id} />
      <Notice
        level={1}
        title={version === '' ? 'There is no such artifact' : 'There is no such version'}
        action={
          version === '' ? (
            <Link className="button" href={searchHref({ q: name.replaceAll('-', ' ') })}>
              Search for “{escapeControls(name.replaceAll('-', ' '))}”
            </Link>
          ) : (
            <Link className="button" href={artifactHref(id)}>
              Show the latest version
            </Link>
          )
        }
      >
        <code>{escapeControls(version === '' ? id : `${id}@${version}`)}</code> does not exist, or
        you do not have access to it.
      </Notice>
    </div>
  );
}
