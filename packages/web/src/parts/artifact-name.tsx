import { escapeControls } from '@catalog/contract/text/escape-controls';
import { FIRST_CLASS_TYPES } from '@catalog/core/artifact/types';
import { Fragment, type ReactElement } from 'react';
import { classes } from './classes.ts';
import * as styles from './artifact-name.module.css';

const KNOWN_TYPES: ReadonlySet<string> = new Set(FIRST_CLASS_TYPES);

export function TypeLabel({ type, className }: { type: string; className?: string }): ReactElement {
  const known = KNOWN_TYPES.has(type) ? type : 'other';
  return (
    <span className={classes(styles.type, className)} data-type={known}>
      {escapeControls(type)}
    </span>
  );
}

/** Shows an id with a dimmed domain and line breaks only after slashes. */
export function ArtifactName({ id }: { id: string }): ReactElement {
  const parts = id.split('/');
  const name = parts.pop() ?? '';
  return (
    <span className={styles.name}>
      {parts.map((part, at) => (
        <Fragment key={parts.slice(0, at + 1).join('/')}>
          <span className={styles.domain}>{escapeControls(part)}/</span>
          <wbr />
        </Fragment>
      ))}
      <b>{escapeControls(name)}</b>
    </span>
  );
}
