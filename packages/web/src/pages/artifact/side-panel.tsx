import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { ArtifactRecord, Lineage } from '@catalog/contract/records/artifact';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { dependentsQuery, versionsQuery } from '../../api/queries.ts';
import { artifactHref, layerHref, markdownHref, searchHref } from '../../app/links.ts';
import type { Reading } from '../../lazy/read-record.ts';
import { countOf, shortHash, shortReference } from '../../parts/format.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Tags } from '../../parts/tags.tsx';
import { CanRun } from './can-run.tsx';
import { ParentLink } from './extends-chain.tsx';
import { Install } from './install.tsx';
import { isSameVersion } from './version-place.ts';
import * as cardStyles from '../../parts/card.module.css';
import * as chipStyles from '../../parts/chip.module.css';
import * as factsStyles from '../../parts/facts.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './side-panel.module.css';

interface SideProps {
  record: ArtifactRecord;
  reading: Reading | null | undefined;
  lineage: Lineage | undefined;
  isOther: boolean;
}

/** Shows the right column, whose parts are above and below the content on narrow screens. */
export function SidePanel(props: SideProps): ReactElement {
  return (
    <aside className={styles.side}>
      <Actions {...props} />
      <About {...props} />
    </aside>
  );
}

export function Actions({ record, reading, isOther }: SideProps): ReactElement {
  return (
    <>
      <Install record={record} reading={reading} isOther={isOther} />
      {reading && <CanRun record={record} capabilities={reading.capabilities} />}
    </>
  );
}

export function About({ record, reading, lineage, isOther }: SideProps): ReactElement {
  return (
    <>
      <Facts {...{ record, reading, lineage, isOther }} />
      {reading && reading.artifact.fields.tags !== undefined && (
        <Tags label="Tags">
          {reading.artifact.fields.tags.map((tag) => (
            <li key={tag}>
              <Link href={searchHref({ tag })}>{escapeControls(tag)}</Link>
            </li>
          ))}
        </Tags>
      )}
    </>
  );
}

function Facts({
  record,
  reading,
  lineage,
  isOther,
}: {
  record: ArtifactRecord;
  reading: Reading | null | undefined;
  lineage: Lineage | undefined;
  isOther: boolean;
}): ReactElement {
  const { id, version, layer, content_hash, sensitivity } = record;
  const pin = isOther ? { version, layer } : {};
  const versions = useQuery(versionsQuery(id));
  const dependents = useInfiniteQuery(dependentsQuery(id));
  const entry = versions.data?.versions.find((one) => isSameVersion(one, record));
  const edges = dependents.data?.pages.flatMap((page) => page.edges) ?? [];
  const usedBy = new Set(edges.map(({ from }) => from).filter((from) => from !== id)).size;
  const [parent] = lineage?.parents ?? [];
  const fields = reading?.artifact.fields;
  return (
    <section className={cardStyles.card}>
      <h2 className={textStyles.visuallyHidden}>Facts</h2>
      <dl className={factsStyles.facts}>
        <dt>Version</dt>
        <dd>
          <span className={textStyles.tabular}>{version}</span>{' '}
          {entry?.latest === true && <span className={chipStyles.chip}>latest</span>}
          {entry?.withdrawn === true && <span className={chipStyles.chip}>withdrawn</span>}
        </dd>
        {entry !== undefined && (
          <>
            <dt>Updated</dt>
            <dd>
              <RelativeTime value={entry.ingested_at} />
            </dd>
          </>
        )}
        <dt>Layer</dt>
        <dd>
          <Link className={textStyles.link} href={layerHref(layer)}>
            {layer}
          </Link>
        </dd>
        {entry?.commit !== undefined && (
          <>
            <dt>Commit</dt>
            <dd>
              <code title={entry.commit}>{shortReference(entry.commit)}</code>
            </dd>
          </>
        )}
        <dt>Hash</dt>
        <dd>
          <Link href={artifactHref(id, { tab: 'provenance', ...pin })} title={content_hash}>
            <code>{shortHash(content_hash)}</code>
          </Link>
        </dd>
        {parent !== undefined && (
          <>
            <dt>Extends</dt>
            <dd>
              <ParentLink parent={parent} />
            </dd>
          </>
        )}
        {usedBy > 0 && (
          <>
            <dt>Used by</dt>
            <dd>
              <Link className={textStyles.link} href={artifactHref(id, { tab: 'provenance' })}>
                {countOf(usedBy, 'artifact')}
                {dependents.hasNextPage && ' or more'}
              </Link>
            </dd>
          </>
        )}
        {fields?.license !== undefined && (
          <>
            <dt>License</dt>
            <dd>{escapeControls(fields.license)}</dd>
          </>
        )}
        {sensitivity !== undefined && (
          <>
            <dt>Sensitivity</dt>
            <dd>{sensitivity}</dd>
          </>
        )}
        <dt>Text</dt>
        <dd>
          <a className={textStyles.link} href={markdownHref(id, version, pin.layer)}>
            View as Markdown
          </a>
        </dd>
      </dl>
    </section>
  );
}
