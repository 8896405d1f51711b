import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { SearchResult } from '@catalog/contract/records/discovery';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { memo, useCallback, useMemo, type ReactElement } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import {
  domainQuery,
  domainSearchQuery,
  SEARCH_WINDOW,
  searchQuery,
  type TimedSearch,
} from '../api/queries.ts';
import { domainHref, searchHref, splitValues, toggleValue, type SearchLink } from '../app/links.ts';
import { useTitle } from '../app/title.ts';
import { ArtifactLink } from '../parts/artifact-link.tsx';
import { TypeLabel } from '../parts/artifact-name.tsx';
import { EmptyRegistry } from '../parts/empty-registry.tsx';
import { countOf, formatAtLeast, formatCount } from '../parts/format.ts';
import { Highlighted } from '../parts/highlighted.tsx';
import { Icon } from '../parts/icon.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Notice, Skeleton } from '../parts/notice.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { moveThroughResults } from '../parts/result-keys.ts';
import { useAfterPaint } from '../parts/use-after-paint.ts';
import { useIsSlow } from '../parts/use-is-slow.ts';
import { SearchFilters } from './search-filters.tsx';
import { classes } from '../parts/classes.ts';
import * as buttonStyles from '../parts/button.module.css';
import * as chipStyles from '../parts/chip.module.css';
import * as pageStyles from '../parts/page.module.css';
import * as textStyles from '../parts/text.module.css';
import * as styles from './search-page.module.css';

export function SearchPage(): ReactElement {
  const [, navigate] = useLocation();
  const search = useSearch();
  const link = useMemo(() => parseLink(search), [search]);
  useTitle(link.q === '' ? 'Search' : link.q);
  const { q, tag, ...filters } = link;
  const query = useInfiniteQuery(searchQuery({ query: q, tags: tag, ...filters }));
  const isSlow = useIsSlow(query.isPlaceholderData);
  // Everything except the first results waits until these are painted.
  const painted = useAfterPaint(query.data);
  const [response] = painted?.pages ?? [];
  const change = useCallback(
    (part: SearchLink) => navigate(searchHref({ ...parseLink(location.search), ...part })),
    [navigate],
  );
  return (
    <div className={pageStyles.left}>
      <h1 className={styles.title}>
        {link.q === '' ? 'Search' : `Search: ${escapeControls(link.q)}`}
      </h1>
      <SearchFilters
        link={link}
        facets={response?.facets}
        isPending={query.isPending || (response === undefined && query.data !== undefined)}
        onChange={change}
      />
      <div
        className={styles.results}
        data-results={isSlow ? 'stale' : 'current'}
        aria-busy={query.isPlaceholderData}
      >
        <ActiveFilters link={link} onChange={change} />
        <QueryView query={query} loading={<Skeleton label="Searching" lines={9} />}>
          {({ pages }) => {
            const [first] = pages;
            const count = pages.reduce((sum, page) => sum + page.results.length, 0);
            return (
              <>
                <div className={styles.found}>
                  {first !== undefined && <Found response={first} />}
                  {link.q !== '' && link.scope === '' && <Domains query={response?.query ?? ''} />}
                </div>
                {count === 0 ? (
                  <NothingFound link={link} onChange={change} />
                ) : (
                  <Hits pages={pages} painted={painted?.pages ?? NO_PAGES} />
                )}
                <MoreButton query={query} />
                {count === SEARCH_WINDOW && (
                  <p className={textStyles.note}>
                    These are the best {formatCount(SEARCH_WINDOW)}. Add words or filters to find
                    others.
                  </p>
                )}
              </>
            );
          }}
        </QueryView>
      </div>
    </div>
  );
}

function parseLink(search: string): Required<SearchLink> {
  const values = new URLSearchParams(search);
  return {
    q: values.get('q') ?? '',
    type: values.get('type') ?? '',
    tag: values.get('tag') ?? '',
    scope: values.get('scope') ?? '',
    layer: values.get('layer') ?? '',
    harness: values.get('harness') ?? '',
  };
}

function Found({ response }: { response: TimedSearch }): ReactElement {
  const { query, total_matched, total_estimated, degraded, took_ms, results } = response;
  const isEstimated = total_estimated === true;
  const count = isEstimated
    ? `${formatAtLeast(total_matched, true)} results`
    : countOf(total_matched, 'result');
  const hasMeaning = results.some(({ explanation }) => (explanation?.similarity ?? null) !== null);
  const how = query === '' ? 'by id' : hasMeaning ? 'by words and meaning' : 'by words';
  return (
    <>
      {degraded === true && (
        <p className={classes(textStyles.hint, styles.degraded)} role="status">
          These results match words only. Search by meaning is unavailable.
        </p>
      )}
      <p className={textStyles.meta} role="status">
        <b>{count}</b>
        <span>
          {how}, {took_ms} ms
        </span>
      </p>
    </>
  );
}

/** Height above the results, and of a result without wrapped lines, in pixels. */
const ABOVE_PX = 110;
const RESULT_PX = 111;
const NO_PAGES: readonly TimedSearch[] = [];

const Hits = memo(function Hits({
  pages,
  painted,
}: {
  pages: readonly TimedSearch[];
  /** Results at the last paint, which the lower rows show until the next paint. */
  painted: readonly TimedSearch[];
}): ReactElement {
  const results = pages.flatMap((page) => page.results);
  const first = Math.ceil((innerHeight - ABOVE_PX) / RESULT_PX);
  const below = painted.flatMap((page) => page.results).slice(first);
  const shown = results.length <= first ? results : [...results.slice(0, first), ...below];
  return (
    <ol onKeyDown={moveThroughResults}>
      {shown.map((result, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row of the previous results is reused
        <Hit key={at} result={result} />
      ))}
    </ol>
  );
});

const Hit = memo(function Hit({ result }: { result: SearchResult }): ReactElement {
  const { id, type, version, description, deprecated, explanation, tags, updated_at } = result;
  return (
    <li className={styles.hit}>
      <div className={styles.id}>
        <ArtifactLink id={id} />
        <TypeLabel type={type} className={styles.type} />
        {deprecated === true && <span className={chipStyles.chip}>deprecated</span>}
      </div>
      <p className={textStyles.clamp} dir="auto">
        <Highlighted text={description} terms={explanation?.terms ?? []} />
      </p>
      <div className={textStyles.meta}>
        <span className={textStyles.tabular}>{version}</span>
        {explanation !== undefined && <span>{explanation.layer}</span>}
        {updated_at !== undefined && <RelativeTime value={updated_at} />}
        {tags.length > 0 && <span className={styles.tags}>{escapeControls(tags.join(', '))}</span>}
        {explanation !== undefined && <b>{describeMatch(explanation)}</b>}
      </div>
    </li>
  );
});

/** Similarity from which a result counts as matched by meaning. */
const SIMILAR = 0.2;

export function describeMatch({
  terms,
  similarity,
}: {
  terms: readonly string[];
  similarity: number | null;
}): string {
  const words = terms.length === 0 ? '' : `${countOf(terms.length, 'word')}: ${terms.join(', ')}`;
  const isSimilar = similarity !== null && similarity >= SIMILAR;
  if (words !== '' && isSimilar) return `matched by meaning and ${words}`;
  if (words !== '') return `matched ${words}`;
  if (isSimilar) return 'matched by meaning';
  return similarity === null ? '' : 'loosely related';
}

/** Shows matching domains in a reserved space, after the results are painted. */
function Domains({ query }: { query: string }): ReactElement {
  const { data } = useQuery(domainSearchQuery(query));
  const domains = data?.domains ?? [];
  return (
    <p className={classes(textStyles.meta, styles.domains)}>
      {domains.length > 0 && <span>Domains:</span>}
      {domains.map(({ path }) => (
        <Link key={path} className={textStyles.link} href={domainHref(path)}>
          {escapeControls(path)}
        </Link>
      ))}
    </p>
  );
}

interface FilterProps {
  link: Required<SearchLink>;
  onChange: (part: SearchLink) => void;
}

function ActiveFilters({ link, onChange }: FilterProps): ReactElement | null {
  const active = (['type', 'tag', 'scope', 'layer', 'harness'] as const).flatMap((name) =>
    splitValues(link[name]).map((value) => ({ name, value })),
  );
  if (active.length === 0) return null;
  return (
    <ul className={styles.filters} aria-label="Filters">
      {active.map(({ name, value }) => (
        <li key={`${name} ${value}`}>
          <button
            type="button"
            className={chipStyles.chip}
            onClick={() => onChange({ [name]: toggleValue(link[name], value) })}
          >
            <span className={textStyles.dim}>{name === 'scope' ? 'domain' : name}</span>{' '}
            {escapeControls(value)}
            <Icon name="close" size={11} />
            <span className={textStyles.visuallyHidden}>, remove filter</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function NothingFound({ link, onChange }: FilterProps): ReactElement {
  const root = useInfiniteQuery(domainQuery(''));
  const { q: _query, ...filters } = link;
  const isFiltered = Object.values(filters).some((value) => value !== '');
  if (root.data?.pages[0]?.recursive_count === 0) return <EmptyRegistry />;
  return (
    <Notice
      title={link.q === '' ? 'No artifacts match' : `Nothing matches “${escapeControls(link.q)}”`}
      action={
        isFiltered ? (
          <button
            type="button"
            className={buttonStyles.button}
            onClick={() => onChange({ type: '', tag: '', scope: '', layer: '', harness: '' })}
          >
            Remove the filters
          </button>
        ) : (
          <Link className={buttonStyles.button} href="/browse">
            Browse domains
          </Link>
        )
      }
    >
      {isFiltered
        ? 'Something may match outside of the chosen filters.'
        : 'Describe the task in other words, or look through the domains.'}
    </Notice>
  );
}
