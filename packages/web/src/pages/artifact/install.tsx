import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { HARNESS_NAMES, harnessName } from '@catalog/harness/product-names';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { artifactHref } from '../../app/links.ts';
import { COPY_EVENT } from '../../app/shortcut-events.ts';
import { local, readStored, store } from '../../app/storage.ts';
import type { Reading } from '../../lazy/read-record.ts';
import { Command } from '../../parts/command.tsx';
import { Dot } from '../../parts/dot.tsx';
import { plansQuery } from './plans-query.ts';
import { VERDICTS } from './verdicts.ts';
import { classes } from '../../parts/classes.ts';
import * as cardStyles from '../../parts/card.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './install.module.css';

const FIRST_HARNESSES = 3;

export function Install({
  record,
  reading,
  isOther,
}: {
  record: ArtifactRecord;
  reading: Reading | null | undefined;
  /** True if the registry serves another version by default, which the command installs. */
  isOther: boolean;
}): ReactElement {
  const { id, version } = record;
  const all = Object.keys(HARNESS_NAMES);
  const [stored, setHarness] = useState(() => readStored(local, 'harness'));
  const harness = all.find((name) => name === stored) ?? all[0] ?? '';
  const first = all.slice(0, FIRST_HARNESSES);
  const others = all.slice(FIRST_HARNESSES);
  const command = `catalog sync --include ${id} --harness ${harness} --registry ${location.origin}`;
  function choose(chosen: string): void {
    store(local, 'harness', chosen);
    setHarness(chosen);
  }
  return (
    <section className={cardStyles.card}>
      <h2 className={cardStyles.title}>Install</h2>
      <div className={styles.pick} role="group" aria-label="Harness">
        {first.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === harness}
            onClick={() => choose(name)}
          >
            {harnessName(name)}
          </button>
        ))}
        <select
          aria-label="Other harnesses"
          className={others.includes(harness) ? styles.chosen : undefined}
          value={others.includes(harness) ? harness : ''}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="" disabled>
            +{others.length}
          </option>
          {others.map((name) => (
            <option key={name} value={name}>
              {harnessName(name)}
            </option>
          ))}
        </select>
      </div>
      <Command text={command} label="Copy the install command" event={COPY_EVENT} />
      <Support {...{ record, reading, harness }} />
      {isOther ? (
        <>
          <p className={textStyles.small}>
            This installs the latest version, not {version}. To print {version}, run:
          </p>
          <Command
            text={`catalog show ${id}@${version}`}
            label={`Copy the command for ${version}`}
          />
        </>
      ) : (
        <p className={classes(textStyles.note, styles.hint)}>
          Run it in a project. If the project already uses this registry, <code>catalog sync</code>{' '}
          installs everything it selects.
        </p>
      )}
    </section>
  );
}

/** Shows the support of a harness, in a reserved line until it is known. */
function Support({
  record,
  reading,
  harness,
}: {
  record: ArtifactRecord;
  reading: Reading | null | undefined;
  harness: string;
}): ReactElement {
  const { data } = useQuery(plansQuery(record, reading?.artifact));
  const plan = data?.find(({ id }) => id === harness);
  return (
    <p className={styles.support} role="status">
      {plan !== undefined && (
        <>
          <Dot state={plan.verdict} />
          {plan.name}:{' '}
          <Link
            className={textStyles.link}
            href={artifactHref(record.id, { tab: 'harnesses', harness })}
          >
            {VERDICTS[plan.verdict]}
          </Link>
        </>
      )}
    </p>
  );
}
