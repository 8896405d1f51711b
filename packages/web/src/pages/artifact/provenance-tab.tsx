import type { ArtifactRecord, Lineage, VersionList } from '@catalog/contract/records/artifact';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { dependentsQuery, layersQuery, sessionQuery } from '../../api/queries.ts';
import { artifactHref, layerHref } from '../../app/links.ts';
import type { Reading } from '../../lazy/read-record.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { shortReference } from '../../parts/format.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { sourceOf } from '../../parts/layer-source.ts';
import { Extends } from './extends-chain.tsx';
import { isSameVersion } from './version-place.ts';
import { visibilityOf, whyVisible } from '../../parts/visibility.ts';
import { classes } from '../../parts/classes.ts';
import * as chipStyles from '../../parts/chip.module.css';
import * as factsStyles from '../../parts/facts.module.css';
import * as plainListStyles from '../../parts/plain-list.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './provenance-tab.module.css';

const KINDS: Readonly<Record<string, string>> = {
  extends: 'extends it',
  delegates_to: 'delegates to it',
  mcpServers: 'uses it as a server',
};

export function ProvenanceTab({
  record,
  lineage,
  reading,
  versions,
}: {
  record: ArtifactRecord;
  lineage: Lineage | undefined;
  reading: Reading | null | undefined;
  versions: UseQueryResult<VersionList>;
}): ReactElement {
  const { id, version, layer, content_hash } = record;
  const layers = useQuery(layersQuery());
  const entry = versions.data?.versions.find((one) => isSameVersion(one, record));
  const source = layers.data?.layers.find((one) => one.id === layer);
  return (
    <div>
      <section>
        <h2>Source</h2>
        <dl className={factsStyles.wide}>
          <dt>Layer</dt>
          <dd>
            <Link className={textStyles.link} href={layerHref(layer)}>
              {layer}
            </Link>
          </dd>
          {source !== undefined && sourceOf(source) !== '' && (
            <>
              <dt>Read from</dt>
              <dd>
                <code>{sourceOf(source)}</code>
              </dd>
            </>
          )}
          {source?.last_ingested_ref !== undefined && source.last_ingested_ref !== '' && (
            <>
              <dt>Layer is at</dt>
              <dd>
                <code title={source.last_ingested_ref}>
                  {shortReference(source.last_ingested_ref)}
                </code>
              </dd>
            </>
          )}
          {entry?.commit !== undefined && (
            <>
              <dt>Commit</dt>
              <dd>
                <code>{entry.commit}</code>
              </dd>
            </>
          )}
          {entry !== undefined && (
            <>
              <dt>Published</dt>
              <dd>
                {version}, <RelativeTime value={entry.ingested_at} />
              </dd>
            </>
          )}
          <dt>Content hash</dt>
          <dd className={styles.withCopy}>
            <code>{content_hash}</code>
            <CopyButton text={content_hash} label="Copy the content hash" />
          </dd>
          {reading?.isVerified !== undefined && (
            <>
              <dt>Integrity</dt>
              <dd>
                {reading.isVerified
                  ? 'This browser computed the same hash from the files.'
                  : 'The files do not match the hash of the registry.'}
              </dd>
            </>
          )}
        </dl>
      </section>
      {lineage !== undefined && <Extends lineage={lineage} />}
      <section>
        <h2>Why you see this</h2>
        <Why layerId={layer} />
      </section>
      <section>
        <h2>Used by</h2>
        <Dependents id={id} />
      </section>
    </div>
  );
}

function Why({ layerId }: { layerId: string }): ReactElement {
  const layers = useQuery(layersQuery());
  const session = useQuery(sessionQuery);
  return (
    <QueryView query={layers} loading={<Skeleton label="Loading the layer" lines={2} />}>
      {({ layers: list }) => {
        const layer = list.find(({ id }) => id === layerId);
        if (layer === undefined || session.data === undefined) {
          return <p>The layer {layerId} is visible to you.</p>;
        }
        const { subject, identity_provider_configured, public_mode } = session.data;
        const isOpen = !identity_provider_configured || public_mode;
        return (
          <p>
            {whyVisible(layer, subject, isOpen)}{' '}
            <span className={chipStyles.chip}>{visibilityOf(layer)}</span>
          </p>
        );
      }}
    </QueryView>
  );
}

function Dependents({ id }: { id: string }): ReactElement {
  const query = useInfiniteQuery(dependentsQuery(id));
  return (
    <QueryView query={query} loading={<Skeleton label="Loading dependents" lines={3} />}>
      {({ pages }) => {
        const edges = pages.flatMap((page) => page.edges).filter(({ from }) => from !== id);
        if (edges.length === 0) {
          return <Notice title="No other artifact uses this one">None that you can see.</Notice>;
        }
        return (
          <>
            <ul className={plainListStyles.list}>
              {edges.map(({ from, kind, stale }) => (
                <li key={`${from} ${kind}`}>
                  <Link className={textStyles.link} href={artifactHref(from)}>
                    {escapeControls(from)}
                  </Link>{' '}
                  <span className={textStyles.dim}>{KINDS[kind] ?? escapeControls(kind)}</span>
                  {stale === true && (
                    <span className={classes(chipStyles.chip, plainListStyles.chip)}>
                      built with an older version
                    </span>
                  )}
                </li>
              ))}
            </ul>
            <MoreButton query={query} />
          </>
        );
      }}
    </QueryView>
  );
}
