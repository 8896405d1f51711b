import type { ReactElement, ReactNode } from 'react';
import * as styles from './tags.module.css';

/** Keywords or tags, as a list of small labels. */
export function Tags({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    <ul className={styles.tags} aria-label={label}>
      {children}
    </ul>
  );
}
