import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { SearchFacets } from '@catalog/contract/records/discovery';
import { memo, useMemo, useState, type ReactElement } from 'react';
import { splitValues, toggleValue, type SearchLink } from '../app/links.ts';
import { formatAtLeast } from '../parts/format.ts';
import { HARNESS_NAMES } from '@catalog/harness/product-names';
import { Icon } from '../parts/icon.tsx';
import { classes } from '../parts/classes.ts';
import * as buttonStyles from '../parts/button.module.css';
import * as checkStyles from '../parts/check.module.css';
import * as styles from './search-filters.module.css';

interface Choice {
  value: string;
  count: number;
}

interface FiltersProps {
  link: Required<SearchLink>;
  facets: SearchFacets | undefined;
  onChange: (part: SearchLink) => void;
}

const SHOWN = 10;

export const SearchFilters = memo(function SearchFilters({
  isPending,
  ...groups
}: FiltersProps & {
  isPending: boolean;
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <aside className={classes(styles.filters, isOpen && styles.open)}>
      <button
        type="button"
        className={classes(buttonStyles.button, styles.toggle)}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Filters <Icon name="chevron" size={12} />
      </button>
      {!isPending && <FilterGroups {...groups} />}
    </aside>
  );
});

function FilterGroups({ link, facets, onChange }: FiltersProps): ReactElement {
  const shared = { isEstimated: facets?.estimated === true, onChange };
  return (
    <div className={styles.groups}>
      <Facet title="Type" name="type" chosen={link.type} {...shared} counts={facets?.type} />
      <Facet title="Domain" name="scope" chosen={link.scope} {...shared} counts={facets?.domain} />
      <Facet title="Layer" name="layer" chosen={link.layer} {...shared} counts={facets?.layer} />
      <fieldset className={styles.facet}>
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
      <Facet title="Tag" name="tag" chosen={link.tag} {...shared} counts={facets?.tag} />
    </div>
  );
}

/** Shows the values of a filter with their counts. Memoized, because results are painted before the counts. */
const Facet = memo(function Facet({
  title,
  name,
  chosen,
  counts = NO_COUNTS,
  isEstimated,
  onChange,
}: {
  title: string;
  name: 'type' | 'scope' | 'layer' | 'tag';
  chosen: string;
  counts: Readonly<Record<string, number>> | undefined;
  /** True if the counts are lower bounds. */
  isEstimated: boolean;
  onChange: (part: SearchLink) => void;
}): ReactElement | null {
  const values = splitValues(chosen);
  const choices = useMemo(() => toChoices(counts), [counts]);
  const listed = withChosen(choices, values);
  if (listed.length === 0) return null;
  return (
    <fieldset className={styles.facet}>
      <legend>{title}</legend>
      {listed.map(({ value, count }) => (
        <label key={value}>
          <input
            className={checkStyles.check}
            type="checkbox"
            checked={values.includes(value)}
            onChange={() => onChange({ [name]: toggleValue(chosen, value) })}
          />
          <span className={styles.label}>{escapeControls(value)}</span>
          <span className={styles.count}>{formatAtLeast(count, isEstimated)}</span>
        </label>
      ))}
    </fieldset>
  );
});

const NO_COUNTS: Readonly<Record<string, number>> = {};

function toChoices(counts: Readonly<Record<string, number>>): Choice[] {
  return Object.entries(counts)
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function withChosen(choices: readonly Choice[], chosen: readonly string[]): Choice[] {
  const first = choices.slice(0, SHOWN);
  const missing = chosen.filter((value) => !first.some((each) => each.value === value));
  const added = missing.map(
    (value) => choices.find((each) => each.value === value) ?? { value, count: 0 },
  );
  return [...added, ...first];
}
