import type { ReactElement } from 'react';
import { Message } from '../../parts/message.tsx';
import { Icon } from '../../parts/icon.tsx';
import * as styles from './hidden-badge.module.css';

/** Shows a warning about characters that a model reads but a user cannot see. */
export function HiddenBadge({ findings }: { findings: readonly string[] }): ReactElement | null {
  if (findings.length === 0) return null;
  return (
    <details className={styles.hidden}>
      <summary className={styles.badge}>
        <Icon name="warning" size={13} /> Hidden characters
      </summary>
      <p>Models read these characters, but people do not see them:</p>
      <ul>
        {findings.map((finding) => (
          <li key={finding}>
            <Message text={finding} />
          </li>
        ))}
      </ul>
      <p>The text below shows them as escapes, such as {'\\u{200b}'}.</p>
    </details>
  );
}
