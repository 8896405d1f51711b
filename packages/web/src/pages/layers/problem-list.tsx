import type { IngestJob } from '@catalog/contract/records/ingest';
import type { Layer } from '@catalog/contract/records/layer';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { countOf } from '../../parts/format.ts';
import { Message } from '../../parts/message.tsx';
import { artifactHref } from '../../app/links.ts';
import { fileUrl } from './file-url.ts';
import type { IngestProblem } from './ingest-state.tsx';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './problem-list.module.css';

export function ProblemList({
  job,
  layer,
  problems,
  shown,
}: {
  job: IngestJob;
  layer: Layer;
  problems: readonly IngestProblem[];
  shown: number;
}): ReactElement | null {
  const [isOpen, setOpen] = useState(false);
  if (problems.length === 0) return null;
  return (
    <div className={styles.problems}>
      <ul>
        {problems.slice(0, isOpen ? undefined : shown).map((problem) => (
          <li key={`${problem.place} ${problem.reason}`}>
            <Place problem={problem} url={fileUrl(layer, job, problem)} />{' '}
            <Message text={problem.reason} />
            {problem.fix !== undefined && (
              <span className={styles.fix}>
                <Message text={problem.fix} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {problems.length > shown && (
        <button type="button" className={textStyles.smallLink} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `Show all ${countOf(problems.length, 'problem')}`}
        </button>
      )}
    </div>
  );
}

function Place({
  problem,
  url,
}: {
  problem: IngestProblem;
  url: string | undefined;
}): ReactElement {
  const place = <code>{escapeControls(problem.place)}</code>;
  if (url !== undefined) {
    return (
      <a className={textStyles.link} href={url} target="_blank" rel="noopener noreferrer">
        {place}
      </a>
    );
  }
  if (!problem.is_published) return place;
  return (
    <Link className={textStyles.link} href={artifactHref(problem.artifact_id, { tab: 'versions' })}>
      {place}
    </Link>
  );
}
