import type { ReactElement } from 'react';
import * as styles from './dot.module.css';

/** The state of a layer, or the verdict of a harness, as a colored dot. A dot next to its name needs no title. */
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
