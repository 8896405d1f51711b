import type { ReactElement } from 'react';
import { Message } from '../../parts/message.tsx';
import { Icon } from '../../parts/icon.tsx';

/** Warns of characters that a model reads and a person does not see. */
export function HiddenBadge({ findings }: { findings: readonly string[] }): ReactElement | null {
  if (findings.length === 0) return null;
  return (
    <details className="hidden-badge">
      <summary className="badge bad">
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
