import type { IngestJob } from '@catalog/contract/records/ingest';
import type { ReactElement } from 'react';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import { now } from '../../clock.ts';
import { formatCount } from '../../parts/format.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './ingest-state.module.css';

export type Health = 'good' | 'bad' | 'warn' | 'run' | 'idle';

export function healthOf(job: IngestJob | undefined): Health {
  if (job === undefined) return 'idle';
  if (job.state === 'queued' || job.state === 'running') return 'run';
  if (job.state === 'failed') return 'bad';
  return problemsOf(job).length > 0 ? 'warn' : 'good';
}

export const HEALTH_NAMES: Readonly<Record<Health, string>> = {
  good: 'Healthy',
  bad: 'Last ingest failed',
  warn: 'Some artifacts were rejected',
  run: 'Ingesting',
  idle: 'Not ingested yet',
};

export interface IngestProblem {
  artifact_id: string;
  /** File relative to the layer; undefined if the report names none. */
  file: string | undefined;
  line: number | undefined;
  /** True if an earlier version of the artifact is served. */
  is_published: boolean;
  reason: string;
  /** Location of the problem, such as `ops/rotate-keys/SKILL.md:4`. */
  place: string;
  fix: string | undefined;
}

export function problemsOf({ layer, state, report, error }: IngestJob): IngestProblem[] {
  if (state === 'failed' && error !== undefined) {
    return [
      {
        artifact_id: '',
        file: undefined,
        line: undefined,
        is_published: false,
        reason: error.message,
        place: layer,
        fix: error.suggested_action,
      },
    ];
  }
  if (report === undefined) return [];
  const remarks = [...report.rejected, ...report.lint_failures].map(
    ({ artifact_id, reason, file, line, fix }) => ({
      artifact_id,
      file,
      line,
      is_published: false,
      reason,
      place: file === undefined ? artifact_id : line === undefined ? file : `${file}:${line}`,
      fix,
    }),
  );
  const conflicts = report.conflicts.map(({ artifact_id, version }) => ({
    artifact_id,
    file: undefined,
    line: undefined,
    is_published: true,
    reason: `Version ${version} was published before with different content.`,
    place: artifact_id,
    fix: 'Publish the change under a new version.',
  }));
  const all = [...remarks, ...conflicts];
  const seen = new Set<string>();
  return all.filter(({ place, reason }) => {
    const key = `${place} ${reason}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** Describes a report: `3 new, 1 removed, 2 rejected`, or `no changes`. */
export function describeReport(job: IngestJob): string {
  const { report } = job;
  if (report === undefined) return '';
  const rejected = problemsOf(job).length;
  const parts = [
    report.accepted > 0 ? `${formatCount(report.accepted)} new` : '',
    report.removed > 0 ? `${formatCount(report.removed)} removed` : '',
    rejected > 0 ? `${formatCount(rejected)} rejected` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

export function IngestProgress({ job }: { job: IngestJob }): ReactElement {
  const { phase, done, total } = job.progress;
  const isKnown = total > 0;
  const counted = isKnown
    ? `${capitalize(phase)}: ${formatCount(done)} of ${formatCount(total)}`
    : capitalize(phase);
  const text =
    job.state === 'queued'
      ? 'Waiting to start'
      : `${counted}, ${formatSeconds(now() - Date.parse(job.started_at ?? job.created_at))}`;
  return (
    <ProgressBar
      className={styles.progress}
      aria-label={`Ingest of ${job.layer}`}
      value={done}
      maxValue={Math.max(total, 1)}
      isIndeterminate={!isKnown}
      valueLabel={text}
    >
      {({ percentage }) => (
        <>
          <span>{text}</span>
          <svg
            className={styles.bar}
            viewBox="0 0 100 4"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect className={styles.track} width="100" height="4" />
            <rect
              className={isKnown ? styles.fill : styles.moving}
              width={percentage ?? 30}
              height="4"
            />
          </svg>
        </>
      )}
    </ProgressBar>
  );
}

function formatSeconds(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function capitalize(text: string): string {
  return text === '' ? 'Starting' : text.charAt(0).toUpperCase() + text.slice(1);
}

export function IngestSummary({ job }: { job: IngestJob | undefined }): ReactElement {
  if (job === undefined) return <span className={textStyles.dim}>Not ingested yet</span>;
  if (job.state === 'queued' || job.state === 'running') return <IngestProgress job={job} />;
  return (
    <>
      <RelativeTime value={job.finished_at ?? job.created_at} />
      <small>{job.state === 'failed' ? 'failed' : describeReport(job)}</small>
    </>
  );
}
