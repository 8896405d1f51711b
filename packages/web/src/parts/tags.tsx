import type { ReactElement, ReactNode } from 'react';
import * as styles from './tags.module.css';

export function Tags({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    <ul className={styles.tags} aria-label={label}>
      {children}
    </ul>
  );
}
