import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { dependentsQuery, layersQuery, versionsQuery } from '../../api/queries.ts';
import { artifactHref, layerHref, markdownHref, searchHref } from '../../app/links.ts';
import { COPY_EVENT } from '../../app/shortcut-events.ts';
import { local, readStored, store } from '../../app/storage.ts';
import type { Reading } from '../../lazy/read-record.ts';
import { Command } from '../../parts/command.tsx';
import { copyText } from '../../parts/copy-button.tsx';
import { countOf, shortHash, shortReference } from '../../parts/format.ts';
import { HARNESS_NAMES, harnessName } from '@catalog/harness/product-names';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { visibilityOf } from '../../parts/visibility.ts';
import { CanRun } from './can-run.tsx';

/** Install command, what the artifact can run, and its facts. */
export function SidePanel({
  record,
  reading,
}: {
  record: ArtifactRecord;
  reading: Reading | null | undefined;
}): ReactElement {
  return (
    <aside className="side">
      <Install id={record.id} />
      {reading && <CanRun record={record} capabilities={reading.capabilities} />}
      <Facts record={record} reading={reading} />
      {reading && reading.artifact.fields.tags !== undefined && (
        <ul className="tags" aria-label="Tags">
          {reading.artifact.fields.tags.map((tag) => (
            <li key={tag}>
              <Link href={searchHref({ tag })}>{escapeControls(tag)}</Link>
            </li>
          ))}
        </ul>
      )}
    </aside>
  );
}

const FIRST_HARNESSES = 3;

function Install({ id }: { id: string }): ReactElement {
  const all = Object.keys(HARNESS_NAMES);
  const [harness, setHarness] = useState(() => readStored(local, 'harness') ?? all[0] ?? '');
  const first = all.slice(0, FIRST_HARNESSES);
  const others = all.slice(FIRST_HARNESSES);
  const command = `catalog sync --include ${id} --harness ${harness} --registry ${location.origin}`;
  useEffect(() => {
    const copy = (): void => void copyText(command);
    document.addEventListener(COPY_EVENT, copy);
    return () => document.removeEventListener(COPY_EVENT, copy);
  }, [command]);
  function choose(chosen: string): void {
    store(local, 'harness', chosen);
    setHarness(chosen);
  }
  return (
    <section className="card">
      <h2 className="card-title">Install</h2>
      <div className="pick" role="group" aria-label="Harness">
        {first.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === harness}
            onClick={() => choose(name)}
          >
            {harnessName(name)}
          </button>
        ))}
        <select
          aria-label="Other harnesses"
          className={others.includes(harness) ? 'chosen' : undefined}
          value={others.includes(harness) ? harness : ''}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="" disabled>
            +{others.length}
          </option>
          {others.map((name) => (
            <option key={name} value={name}>
              {harnessName(name)}
            </option>
          ))}
        </select>
      </div>
      <Command text={command} label="Copy the install command" />
      <p className="small dim install-hint">
        Run it in a project. If the project already uses this registry, <code>catalog sync</code>{' '}
        installs everything it selects.
      </p>
    </section>
  );
}

function Facts({
  record,
  reading,
}: {
  record: ArtifactRecord;
  reading: Reading | null | undefined;
}): ReactElement {
  const { id, version, layer, content_hash, sensitivity } = record;
  const versions = useQuery(versionsQuery(id));
  const layers = useQuery(layersQuery());
  const dependents = useInfiniteQuery(dependentsQuery(id));
  const entry = versions.data?.versions.find((one) => one.version === version);
  const source = layers.data?.layers.find((one) => one.id === layer);
  const edges = dependents.data?.pages.flatMap((page) => page.edges) ?? [];
  const usedBy = new Set(edges.map(({ from }) => from)).size;
  const fields = reading?.artifact.fields;
  return (
    <section className="card facts-card">
      <h2 className="visually-hidden">Facts</h2>
      <dl className="facts">
        <dt>Version</dt>
        <dd>
          <span className="version">{version}</span>{' '}
          {entry?.latest === true && <span className="chip">latest</span>}
          {entry?.withdrawn === true && <span className="chip">withdrawn</span>}
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
          <Link className="link" href={layerHref(layer)}>
            {layer}
          </Link>{' '}
          {source !== undefined && <span className="chip">{visibilityOf(source)}</span>}
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
          <Link href={artifactHref(id, { tab: 'provenance' })} title={content_hash}>
            <code>{shortHash(content_hash)}</code>
          </Link>
        </dd>
        {fields?.extends !== undefined && (
          <>
            <dt>Extends</dt>
            <dd>
              <Link className="link" href={artifactHref(fields.extends.split('@')[0] ?? '')}>
                {escapeControls(fields.extends)}
              </Link>
            </dd>
          </>
        )}
        {usedBy > 0 && (
          <>
            <dt>Used by</dt>
            <dd>
              <Link className="link" href={artifactHref(id, { tab: 'provenance' })}>
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
          <a className="link" href={markdownHref(id, version)}>
            View as Markdown
          </a>
        </dd>
      </dl>
    </section>
  );
}
