import type { ReactElement } from 'react';
import * as styles from './dot.module.css';

export function Dot({ state, title }: { state: string; title?: string }): ReactElement {
  return (
    <span
      className={styles.dot}
      data-state={state}
      title={title}
      aria-hidden={title === undefined ? true : undefined}
    />
  );
}
