import type { ReactElement } from 'react';
import { CopyButton } from './copy-button.tsx';
import * as styles from './command.module.css';

/** Shows a command in one line, which scrolls instead of wrapping. */
export function Command({
  text,
  label,
  event,
}: {
  text: string;
  label: string;
  /** Document event that also copies the command. */
  event?: string;
}): ReactElement {
  return (
    <div className={styles.command}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <code tabIndex={0}>{text}</code>
      <CopyButton {...{ text, label }} {...(event === undefined ? {} : { event })} />
    </div>
  );
}
