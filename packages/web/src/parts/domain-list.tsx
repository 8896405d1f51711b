import type { Subdomain } from '@catalog/contract/records/discovery';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { domainHref } from '../app/links.ts';
import { formatCount } from './format.ts';
import * as textStyles from './text.module.css';
import * as styles from './domain-list.module.css';

export function DomainList({
  path,
  subdomains,
}: {
  path: string;
  subdomains: readonly Subdomain[];
}): ReactElement {
  return (
    <ul className={styles.list}>
      {subdomains.map((domain) => {
        const count = domain.recursive_count;
        return (
          <li key={domain.path}>
            <Link href={domainHref(domain.path)}>
              <span className={styles.name}>{escapeControls(shownName(domain, path))}</span>
              <span className={styles.leader} aria-hidden="true" />
              <span className={styles.count}>{count === undefined ? '' : formatCount(count)}</span>
            </Link>
            {isTelling(domain) && (
              <p className={textStyles.clamp} dir="auto">
                {escapeControls(domain.description)}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Returns false if the description only repeats the name, like the default one. */
function isTelling({ description, name }: Subdomain): boolean {
  const words = description.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return words !== '' && words !== name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Returns the path relative to `parent`. It has several segments if domains with a single subdomain were merged. */
function shownName({ path, name }: Subdomain, parent: string): string {
  const prefix = parent === '' ? '' : `${parent}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : name;
}
