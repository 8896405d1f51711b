import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { ReactElement } from 'react';
import { ArtifactLink } from './artifact-link.tsx';
import { TypeLabel } from './artifact-name.tsx';
import { RelativeTime } from './relative-time.tsx';
import { moveThroughResults } from './result-keys.ts';
import * as textStyles from './text.module.css';
import * as styles from './artifact-list.module.css';

export interface ListedArtifact {
  id: string;
  type: string;
  summary: string;
  version?: string | undefined;
  updated_at?: string | undefined;
}

export function ArtifactList({
  artifacts,
}: {
  artifacts: readonly ListedArtifact[];
}): ReactElement {
  return (
    <ul className={styles.list} onKeyDown={moveThroughResults}>
      {artifacts.map(({ id, type, summary, version, updated_at }) => (
        <li key={id}>
          <ArtifactLink id={id} />
          <TypeLabel type={type} />
          {version !== undefined && <span className={styles.version}>{version}</span>}
          {updated_at !== undefined && (
            <span className={styles.updated}>
              <RelativeTime value={updated_at} />
            </span>
          )}
          {summary !== '' && (
            <p className={textStyles.clamp} dir="auto">
              {escapeControls(summary)}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
