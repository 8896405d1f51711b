import { useEffect, useRef, useState, type ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { SearchField } from 'react-aria-components/SearchField';
import { useLocation, useSearch } from 'wouter';
import { focusResult } from '../parts/result-keys.ts';
import { Icon } from '../parts/icon.tsx';
import { classes } from '../parts/classes.ts';
import * as buttonStyles from '../parts/button.module.css';
import * as styles from './search-box.module.css';

const DELAY_MS = 120;

export function SearchBox({
  isOpen,
  onDone,
}: {
  /** True if the field covers the header on narrow screens. */
  isOpen: boolean;
  onDone: () => void;
}): ReactElement {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const searched = path === '/search' ? (new URLSearchParams(search).get('q') ?? '') : '';
  const [text, setText] = useState(searched);
  const [seen, setSeen] = useState(searched);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  /** True if the user submitted the search of this history entry with Enter. */
  const isKept = useRef(false);
  // Back, forward and links change the query without this field.
  if (seen !== searched) {
    setSeen(searched);
    if (text.trim() !== searched) setText(searched);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);

  function go(query: string, isSubmitted = false): void {
    const isSearching = location.pathname.endsWith('/search');
    const next = new URLSearchParams(isSearching ? location.search : '');
    if (query.trim() === '') next.delete('q');
    else next.set('q', query.trim());
    if (!isSearching && query.trim() === '') return;
    const text = next.toString();
    // Typing replaces the last history entry, unless Enter submitted its search.
    navigate(text === '' ? '/search' : `/search?${text}`, {
      replace: isSearching && !isKept.current,
    });
    isKept.current = isSubmitted;
  }
  return (
    <SearchField
      className={classes(styles.find, isOpen && styles.open)}
      aria-label="Search artifacts"
      value={text}
      onChange={(value) => {
        setText(value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => go(value), DELAY_MS);
      }}
      onSubmit={(value) => {
        clearTimeout(timer.current);
        if (value.trim() !== searched) go(value, true);
        isKept.current = true;
        onDone();
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown' && focusResult('first')) event.preventDefault();
        if (event.key === 'Escape') onDone();
      }}
    >
      <Icon name="search" />
      <Input ref={field} id="search" placeholder="Search skills, agents, rules…" />
      <kbd aria-hidden="true">/</kbd>
      <Button className={classes(buttonStyles.iconButton, styles.clear)}>
        <Icon name="close" size={14} />
      </Button>
    </SearchField>
  );
}
