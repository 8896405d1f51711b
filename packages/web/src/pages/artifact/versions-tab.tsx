import type { ArtifactRecord, VersionList } from '@catalog/contract/records/artifact';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { artifactQuery } from '../../api/queries.ts';
import { artifactHref } from '../../app/links.ts';
import { countOf, shortHash, shortReference } from '../../parts/format.ts';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { VersionDiff } from './version-diff.tsx';

type Version = VersionList['versions'][number];

/** Every version, and the difference between any two of them. */
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
  const [, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const names = list.map(({ version }) => version);
  const hasCommits = list.some(({ commit }) => commit !== undefined);
  const to = pick(search.get('to'), names) ?? names[0] ?? '';
  const from = pick(search.get('from'), names) ?? names[names.indexOf(to) + 1] ?? to;
  function choose(part: { from?: string; to?: string }): void {
    navigate(artifactHref(id, { tab: 'versions', from, to, ...part }), { replace: true });
  }
  return (
    <>
      <p className="meta">
        {countOf(list.length, 'version')}, newest first. Published versions are immutable.
      </p>
      <div className="table-scroll">
        <table className="versions">
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
                  <td className="compare">
                    {(['from', 'to'] as const).map((end) => (
                      <label key={end}>
                        <input
                          type="radio"
                          name={end}
                          checked={entry.version === (end === 'from' ? from : to)}
                          onChange={() => choose({ [end]: entry.version })}
                          aria-label={`Compare ${end} ${entry.version}`}
                        />
                        <span aria-hidden="true">{end}</span>
                      </label>
                    ))}
                  </td>
                )}
                <td>
                  <Link
                    className="link version"
                    href={artifactHref(id, { version: entry.version })}
                  >
                    {entry.version}
                  </Link>{' '}
                  {entry.latest && <span className="chip">latest</span>}
                  {entry.deprecated && <span className="chip">deprecated</span>}
                  {entry.withdrawn && <span className="chip">withdrawn</span>}
                </td>
                <td>
                  <RelativeTime value={entry.ingested_at} />
                </td>
                <td>{entry.layer}</td>
                {hasCommits && (
                  <td>
                    <code title={entry.commit}>{shortReference(entry.commit ?? '')}</code>
                  </td>
                )}
                <td>
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
        <Comparison id={id} from={from} to={to} />
      )}
    </>
  );
}

function pick(value: string | null, names: readonly string[]): string | undefined {
  return value !== null && names.includes(value) ? value : undefined;
}

function Comparison({ id, from, to }: { id: string; from: string; to: string }): ReactElement {
  const before = useQuery(artifactQuery(id, from));
  const after = useQuery(artifactQuery(id, to));
  return (
    <section aria-live="polite">
      <h2>
        Changes from {from} to {to}
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
