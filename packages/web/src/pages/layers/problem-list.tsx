import type { IngestJob } from '@catalog/contract/records/ingest';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useState, type ReactElement } from 'react';
import { countOf } from '../../parts/format.ts';
import { problemsOf } from './ingest-state.tsx';

/** What an ingest rejected, with file, line and fix. */
export function ProblemList({
  job,
  shown,
}: {
  job: IngestJob;
  shown: number;
}): ReactElement | null {
  const [isOpen, setOpen] = useState(false);
  const problems = problemsOf(job);
  if (job.state === 'failed' && job.error !== undefined) {
    return (
      <div className="problems">
        <p>
          <b>{escapeControls(job.error.message)}</b>
        </p>
        <p>{escapeControls(job.error.suggested_action)}</p>
      </div>
    );
  }
  if (problems.length === 0) return null;
  return (
    <div className="problems">
      <ul>
        {problems.slice(0, isOpen ? undefined : shown).map(({ place, reason, fix }) => (
          <li key={`${place} ${reason}`}>
            <code>{escapeControls(place)}</code> {escapeControls(reason)}
            {fix !== undefined && <span className="fix">{escapeControls(fix)}</span>}
          </li>
        ))}
      </ul>
      {problems.length > shown && (
        <button type="button" className="link small" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `Show all ${countOf(problems.length, 'problem')}`}
        </button>
      )}
    </div>
  );
}
