import { escapeControls } from '@catalog/contract/text/escape-controls';
import { Fragment, type ReactElement } from 'react';
import { Link } from 'wouter';
import { domainHref } from '../app/links.ts';
import * as styles from './crumbs.module.css';

export function Crumbs({ path }: { path: string }): ReactElement {
  const parts = path === '' ? [] : path.split('/');
  const last = parts.pop();
  return (
    <nav className={styles.crumbs} aria-label="Domain">
      {last === undefined ? <span>Browse</span> : <Link href="/browse">Browse</Link>}
      {parts.map((part, at) => {
        const domain = parts.slice(0, at + 1).join('/');
        return (
          <Fragment key={domain}>
            <i aria-hidden="true">/</i>
            <Link href={domainHref(domain)}>{escapeControls(part)}</Link>
          </Fragment>
        );
      })}
      {last !== undefined && (
        <>
          <i aria-hidden="true">/</i>
          <span aria-current="page">{escapeControls(last)}</span>
        </>
      )}
    </nav>
  );
}
