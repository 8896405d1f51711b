import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { SearchFacets } from '@catalog/contract/records/discovery';
import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, useMemo, useState, type ReactElement } from 'react';
import { domainQuery } from '../api/queries.ts';
import type { SearchLink } from '../app/links.ts';
import { formatCount } from '../parts/format.ts';
import { HARNESS_NAMES } from '@catalog/harness/product-names';
import { Icon } from '../parts/icon.tsx';

interface Choice {
  value: string;
  count?: number | undefined;
}

interface FiltersProps {
  link: Required<SearchLink>;
  facets: SearchFacets | undefined;
  /** Results of the search; the facets count the first of them. */
  total: number;
  onChange: (part: SearchLink) => void;
}

const SHOWN = 10;

/** Filters of a search; each is a part of the URL. */
export const SearchFilters = memo(function SearchFilters({
  isPending,
  ...groups
}: FiltersProps & {
  /** Whether the facets are still loading. */
  isPending: boolean;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <aside className={isOpen ? 'filters open' : 'filters'}>
      <button
        type="button"
        className="button filters-toggle"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Filters <Icon name="chevron" size={12} />
      </button>
      {!isPending && <FilterGroups {...groups} />}
    </aside>
  );
});

function FilterGroups({ link, facets, total, onChange }: FiltersProps): ReactElement | null {
  const root = useInfiniteQuery(domainQuery(''));
  const types = useMemo(() => toChoices(facets?.type), [facets]);
  const layers = useMemo(() => toChoices(facets?.layer), [facets]);
  const tags = useMemo(() => toChoices(facets?.tag), [facets]);
  const [first] = root.data?.pages ?? [];
  const domains = useMemo(
    () =>
      (first?.subdomains ?? []).map(({ path, recursive_count }) => ({
        value: path,
        count: recursive_count,
      })),
    [first],
  );
  if (root.isPending) return null;
  return (
    <div className="filter-groups">
      <Facet title="Type" name="type" chosen={link.type} choices={types} onChange={onChange} />
      <Facet
        title="Domain"
        name="scope"
        chosen={link.scope}
        choices={domains}
        onChange={onChange}
      />
      <Facet title="Layer" name="layer" chosen={link.layer} choices={layers} onChange={onChange} />
      <fieldset className="facet">
        <legend>For harness</legend>
        <select
          aria-label="For harness"
          value={link.harness}
          onChange={({ target }) => onChange({ harness: target.value })}
        >
          <option value="">Any</option>
          {Object.entries(HARNESS_NAMES).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </fieldset>
      <Facet title="Tag" name="tag" chosen={link.tag} choices={tags} onChange={onChange} />
      {facets !== undefined && facets.results < total && (
        <p className="small dim">
          Counts by type, layer and tag cover the first {formatCount(facets.results)} results.
          Counts by domain cover all artifacts.
        </p>
      )}
    </div>
  );
}

/** Renders again only if its choices change: a response is painted before the facets are. */
const Facet = memo(function Facet({
  title,
  name,
  chosen,
  choices,
  onChange,
}: {
  title: string;
  name: keyof SearchLink;
  chosen: string;
  choices: readonly Choice[];
  onChange: (part: SearchLink) => void;
}): ReactElement | null {
  const listed = withChosen(choices.toSorted(byCount).slice(0, SHOWN), chosen);
  if (listed.length === 0) return null;
  return (
    <fieldset className="facet">
      <legend>{title}</legend>
      {listed.map(({ value, count }) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={value === chosen}
            onChange={() => onChange({ [name]: value === chosen ? '' : value })}
          />
          <span className="facet-label">{escapeControls(value)}</span>
          {count !== undefined && <span className="count">{formatCount(count)}</span>}
        </label>
      ))}
    </fieldset>
  );
});

function toChoices(facet: Readonly<Record<string, number>> | undefined): Choice[] {
  return Object.entries(facet ?? {}).map(([value, count]) => ({ value, count }));
}

/** A filter from the URL is listed even if no result has it. */
function withChosen(choices: readonly Choice[], chosen: string): Choice[] {
  if (chosen === '' || choices.some(({ value }) => value === chosen)) return [...choices];
  return [{ value: chosen }, ...choices];
}

function byCount(a: Choice, b: Choice): number {
  return (b.count ?? 0) - (a.count ?? 0);
}
