import type { ReactElement } from 'react';
import { CopyButton } from './copy-button.tsx';
import * as styles from './command.module.css';

/** One line to paste into a terminal. It scrolls and never breaks. */
export function Command({
  text,
  label,
  event,
}: {
  text: string;
  label: string;
  /** Name of the event of the document that copies the line, too. */
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
