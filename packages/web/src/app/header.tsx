import { useState, type ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Link, useLocation } from 'wouter';
import { Icon, Logo } from '../parts/icon.tsx';
import { Account } from './account.tsx';
import { SearchBox } from './search-box.tsx';

const LINKS = [
  { href: '/browse', label: 'Browse' },
  { href: '/layers', label: 'Layers' },
] as const;

export function Header(): ReactElement {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  return (
    <header className={isOpen ? 'bar searching' : 'bar'}>
      <Link className="word" href="/">
        <Logo />
        catalog
      </Link>
      <SearchBox onDone={() => setOpen(false)} isOpen={isOpen} />
      <Button
        className="icon-button open-search"
        aria-label="Search"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <Icon name="search" size={18} />
      </Button>
      <nav className="nav" aria-label="Main">
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
