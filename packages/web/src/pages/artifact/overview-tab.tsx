import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { artifactHref } from '../../app/links.ts';
import type { Reading } from '../../lazy/read-record.ts';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ContentText } from './content-text.tsx';
import * as buttonStyles from '../../parts/button.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './overview-tab.module.css';

export function OverviewTab({
  record,
  reading,
}: {
  record: ArtifactRecord;
  reading: UseQueryResult<Reading | null>;
}): ReactElement {
  return (
    <QueryView query={reading} loading={<Skeleton label="Reading the artifact" lines={10} />}>
      {(read) => {
        if (read === null) return <TooLarge record={record} />;
        const { body, fields } = read.artifact;
        return (
          <>
            {fields.when_to_use !== undefined && fields.when_to_use.length > 0 && (
              <section className={styles.when}>
                <h2>When to use it</h2>
                <ul>
                  {fields.when_to_use.map((when) => (
                    <li key={when}>{escapeControls(when)}</li>
                  ))}
                </ul>
              </section>
            )}
            {body.trim() === '' ? (
              <Notice title="No text">
                This artifact consists of its frontmatter and files.{' '}
                <Link className={textStyles.link} href={artifactHref(record.id, { tab: 'files' })}>
                  Show the files
                </Link>
              </Notice>
            ) : (
              <ContentText record={record} text={body} />
            )}
          </>
        );
      }}
    </QueryView>
  );
}

function TooLarge({ record }: { record: ArtifactRecord }): ReactElement {
  return (
    <Notice
      title="The text cannot be shown here"
      action={
        <Link className={buttonStyles.button} href={artifactHref(record.id, { tab: 'files' })}>
          Show the files
        </Link>
      }
    >
      The manifest is too large to be loaded with the artifact, or this release cannot read it.
    </Notice>
  );
}
