import type { ArtifactRecord, VersionList } from '@catalog/contract/records/artifact';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { artifactQuery, usageQuery } from '../../api/queries.ts';
import { artifactHref } from '../../app/links.ts';
import { countOf, shortHash, shortReference } from '../../parts/format.ts';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { VersionDiff } from './version-diff.tsx';
import { formatPlace, type VersionPlace } from './version-place.ts';
import { classes } from '../../parts/classes.ts';
import * as checkStyles from '../../parts/check.module.css';
import * as chipStyles from '../../parts/chip.module.css';
import * as tableStyles from '../../parts/table.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './versions-tab.module.css';

type Version = VersionList['versions'][number];

export function VersionsTab({
  record,
  versions,
}: {
  record: ArtifactRecord;
  versions: UseQueryResult<VersionList>;
}): ReactElement {
  return (
    <QueryView query={versions} loading={<Skeleton label="Loading versions" />}>
      {({ versions: list }) => <Versions record={record} list={list} />}
    </QueryView>
  );
}

function Versions({
  record,
  list,
}: {
  record: ArtifactRecord;
  list: readonly Version[];
}): ReactElement {
  const { id } = record;
  const usage = useQuery(usageQuery(id));
  const uses = (usage.data?.loads ?? 0) + (usage.data?.syncs ?? 0);
  const [, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const hasCommits = list.some(({ commit }) => commit !== undefined);
  const layers = new Set(list.map(({ layer }) => layer));
  const [newest] = list;
  if (newest === undefined) return <Notice title="No versions">None that you can see.</Notice>;
  const to = pick(search.get('to'), list) ?? newest;
  const from = pick(search.get('from'), list) ?? list[list.indexOf(to) + 1] ?? to;
  function choose(part: { from?: Version; to?: Version }): void {
    const chosen = { from, to, ...part };
    const link = { from: formatPlace(chosen.from), to: formatPlace(chosen.to) };
    navigate(artifactHref(id, { tab: 'versions', ...link }), { replace: true });
  }
  return (
    <>
      <p className={textStyles.meta}>
        {countOf(list.length, 'version')}, newest first. Published versions are immutable.
        {uses > 0 && ` Loaded ${countOf(uses, 'time')} in 30 days.`}
      </p>
      <div className={tableStyles.scroll}>
        <table className={styles.versions}>
          <thead>
            <tr>
              {list.length > 1 && <th scope="col">Compare</th>}
              <th scope="col">Version</th>
              <th scope="col">Published</th>
              <th scope="col">Layer</th>
              {hasCommits && <th scope="col">Commit</th>}
              <th scope="col">Hash</th>
            </tr>
          </thead>
          <tbody>
            {list.map((entry) => (
              <tr key={`${entry.layer} ${entry.version}`}>
                {list.length > 1 && (
                  <td className={styles.compare} data-label="Compare">
                    {(['from', 'to'] as const).map((end) => (
                      <label key={end}>
                        <input
                          className={checkStyles.check}
                          type="radio"
                          name={end}
                          checked={entry === (end === 'from' ? from : to)}
                          onChange={() => choose({ [end]: entry })}
                          aria-label={`Compare ${end} ${nameOf(entry, layers.size)}`}
                        />
                        <span aria-hidden="true">{end}</span>
                      </label>
                    ))}
                  </td>
                )}
                <td data-label="Version">
                  <Link
                    className={classes(textStyles.link, textStyles.tabular)}
                    href={artifactHref(id, { version: entry.version, layer: entry.layer })}
                  >
                    {entry.version}
                  </Link>{' '}
                  {entry.latest && <span className={chipStyles.chip}>latest</span>}
                  {entry.deprecated && <span className={chipStyles.chip}>deprecated</span>}
                  {entry.withdrawn && <span className={chipStyles.chip}>withdrawn</span>}
                </td>
                <td data-label="Published">
                  <RelativeTime value={entry.ingested_at} />
                </td>
                <td data-label="Layer">{entry.layer}</td>
                {hasCommits && (
                  <td data-label="Commit">
                    <code title={entry.commit}>{shortReference(entry.commit ?? '')}</code>
                  </td>
                )}
                <td data-label="Hash">
                  <code title={entry.content_hash}>{shortHash(entry.content_hash)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {list.length < 2 ? (
        <Notice title="Only one version so far">
          When another version is published, you can compare the two here.
        </Notice>
      ) : (
        <Comparison id={id} from={from} to={to} layers={layers.size} />
      )}
    </>
  );
}

/** Finds the version for `layer@version`, or for a version of the first layer that has it. */
function pick(value: string | null, list: readonly Version[]): Version | undefined {
  return (
    list.find((entry) => formatPlace(entry) === value) ??
    list.find(({ version }) => version === value)
  );
}

function nameOf({ version, layer }: VersionPlace, layers: number): string {
  return layers > 1 ? `${version} (${layer})` : version;
}

function Comparison({
  id,
  from,
  to,
  layers,
}: {
  id: string;
  from: VersionPlace;
  to: VersionPlace;
  layers: number;
}): ReactElement {
  const before = useQuery(artifactQuery(id, from.version, from.layer));
  const after = useQuery(artifactQuery(id, to.version, to.layer));
  return (
    <section aria-live="polite">
      <h2>
        Changes from {nameOf(from, layers)} to {nameOf(to, layers)}
      </h2>
      <QueryView query={before} loading={<Skeleton label="Loading the older version" />}>
        {(old) => (
          <QueryView query={after} loading={<Skeleton label="Loading the newer version" />}>
            {(current) => <VersionDiff before={old} after={current} />}
          </QueryView>
        )}
      </QueryView>
    </section>
  );
}
