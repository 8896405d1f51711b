import { formatBytes } from '@catalog/core/text/format-bytes';
import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useSearch } from 'wouter';
import { artifactHref } from '../../app/links.ts';
import type { HarnessPlan } from '../../lazy/plan-harnesses.ts';
import type { Reading } from '../../lazy/read-record.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Dot } from '../../parts/dot.tsx';
import { countOf } from '../../parts/format.ts';
import { languageOfFile } from '../../parts/languages.ts';
import { Message } from '../../parts/message.tsx';
import { Notice, Skeleton } from '../../parts/notice.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { moveThroughResults, RESULT } from '../../parts/result-keys.ts';
import type { Pin } from './pin.ts';
import { plansQuery } from './plans-query.ts';
import { toText } from './record-files.ts';
import { VERDICTS } from './verdicts.ts';
import * as chipStyles from '../../parts/chip.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as filesStyles from './files.module.css';
import * as styles from './harnesses-tab.module.css';

/** Shows the output of `catalog sync` for each harness, computed with the same code. */
export function HarnessesTab({
  record,
  pin,
  reading,
}: {
  record: ArtifactRecord;
  pin: Pin;
  reading: UseQueryResult<Reading | null>;
}): ReactElement {
  const artifact = reading.data?.artifact;
  const plans = useQuery(plansQuery(record, artifact));
  if (reading.data === null) {
    return (
      <Notice title="Cannot be planned here">
        The manifest is too large to be loaded with the artifact. Run{' '}
        <code>catalog sync --dry-run</code> to see what would be written.
      </Notice>
    );
  }
  return (
    <QueryView query={plans} loading={<Skeleton label="Planning" lines={12} />}>
      {(list) => <Plans record={record} pin={pin} plans={list} />}
    </QueryView>
  );
}

function Plans({
  record,
  pin,
  plans,
}: {
  record: ArtifactRecord;
  pin: Pin;
  plans: readonly HarnessPlan[];
}): ReactElement {
  const chosen = new URLSearchParams(useSearch()).get('harness');
  const plan = plans.find(({ id }) => id === chosen) ?? plans[0];
  const count = (verdict: HarnessPlan['verdict']): number =>
    plans.filter((one) => one.verdict === verdict).length;
  const summary = (['native', 'fallback', 'left-out', 'unsupported'] as const)
    .filter((verdict) => count(verdict) > 0)
    .map((verdict) => `${count(verdict)} ${VERDICTS[verdict]}`);
  return (
    <div className={filesStyles.files}>
      <nav aria-label="Harnesses">
        <p className={textStyles.meta}>{summary.join(', ')}</p>
        <ul onKeyDown={moveThroughResults}>
          {plans.map(({ id, name, verdict }) => (
            <li key={id}>
              <Link
                href={artifactHref(record.id, { tab: 'harnesses', harness: id, ...pin })}
                aria-current={id === plan?.id ? 'true' : undefined}
                {...RESULT}
              >
                <Dot state={verdict} />
                <span className={filesStyles.path}>{name}</span>
                <span className={filesStyles.count}>{VERDICTS[verdict]}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {plan !== undefined && <PlanDetails plan={plan} />}
    </div>
  );
}

function PlanDetails({ plan }: { plan: HarnessPlan }): ReactElement {
  const { name, verdict, reasons, files, entries } = plan;
  return (
    <section className={filesStyles.file}>
      <header className={styles.head}>
        <h2>{name}</h2>
        <p className={textStyles.note}>
          {verdict === 'unsupported' || verdict === 'left-out'
            ? `catalog writes nothing for ${name}.`
            : `catalog sync --harness ${plan.id} writes ${describeOutput(plan)}.`}
        </p>
      </header>
      {reasons.length > 0 && (
        <ul className={verdict === 'unsupported' ? styles.bad : styles.reasons}>
          {reasons.map((reason) => (
            <li key={reason}>
              <Message text={toSentence(reason)} />
            </li>
          ))}
        </ul>
      )}
      {files.map(({ path, bytes, executable }) => {
        const text = toText(bytes);
        return (
          <details key={path} className={styles.output} open={files.length === 1}>
            <summary>
              <code>{escapeControls(path)}</code>
              {executable && <span className={chipStyles.chip}>executable</span>}
              <span className={styles.count}>{formatBytes(bytes.length)}</span>
            </summary>
            {text === undefined ? (
              <p className={textStyles.note}>Not text.</p>
            ) : (
              <CodeBlock text={text.replace(/\n$/, '')} language={languageOfFile(path)} />
            )}
          </details>
        );
      })}
      {entries.map(({ path, container, key, value }) => (
        <details key={JSON.stringify([path, container, key])} className={styles.output} open>
          <summary>
            <code>{escapeControls(path)}</code>
            <span className={chipStyles.chip}>entry in a shared file</span>
            <span className={styles.count}>{escapeControls([...container, key].join('.'))}</span>
          </summary>
          <CodeBlock text={value} language={/^[[{]/.test(value) ? 'json' : 'markdown'} />
        </details>
      ))}
    </section>
  );
}

function describeOutput({ files, entries }: HarnessPlan): string {
  const parts = [
    files.length === 0 ? '' : countOf(files.length, 'file'),
    entries.length === 0 ? '' : countOf(entries.length, 'entry', 'entries'),
  ];
  return parts.filter((part) => part !== '').join(' and ') || 'nothing';
}

function toSentence(reason: string): string {
  const first = reason.charAt(0).toUpperCase() + reason.slice(1);
  return first.endsWith('.') ? first : `${first}.`;
}
