import { useState, type ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Link, useLocation } from 'wouter';
import { classes } from '../parts/classes.ts';
import { Icon, Logo } from '../parts/icon.tsx';
import { Account } from './account.tsx';
import { SearchBox } from './search-box.tsx';
import * as buttonStyles from '../parts/button.module.css';
import * as styles from './header.module.css';

const LINKS = [
  { href: '/browse', label: 'Browse' },
  { href: '/layers', label: 'Layers' },
] as const;

export function Header(): ReactElement {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  return (
    <header className={classes(styles.bar, isOpen && styles.searching)}>
      <Link className={styles.word} href="/">
        <Logo />
        catalog
      </Link>
      <SearchBox onDone={() => setOpen(false)} isOpen={isOpen} />
      <Button
        className={classes(buttonStyles.iconButton, styles.openSearch)}
        data-open-search=""
        aria-label="Search"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <Icon name="search" size={18} />
      </Button>
      <nav className={styles.nav} aria-label="Main">
        {LINKS.map(({ href, label }) => (
          <Link key={href} href={href} aria-current={path.startsWith(href) ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      <Account />
    </header>
  );
}
