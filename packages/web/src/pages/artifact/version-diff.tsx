import { formatBytes } from '@catalog/core/text/format-bytes';
import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { Fragment, useMemo, type ReactElement } from 'react';
import { diffLines, type DiffLine } from '../../lazy/diff-lines.ts';
import { formatCount } from '../../parts/format.ts';
import { Notice } from '../../parts/notice.tsx';
import { listFiles, toText, type RecordFile } from './record-files.ts';
import { classes } from '../../parts/classes.ts';
import * as chipStyles from '../../parts/chip.module.css';
import * as tableStyles from '../../parts/table.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as filesStyles from './files.module.css';
import * as styles from './version-diff.module.css';

const CONTEXT = 3;

export function VersionDiff({
  before,
  after,
}: {
  before: ArtifactRecord;
  after: ArtifactRecord;
}): ReactElement {
  const changes = useMemo(() => compareFiles(before, after), [before, after]);
  if (changes.length === 0) return <Notice title="No differences">Both are the same.</Notice>;
  return (
    <>
      {changes.map((change) => (
        <FileChange key={change.path} change={change} />
      ))}
    </>
  );
}

interface Change {
  path: string;
  before: RecordFile | undefined;
  after: RecordFile | undefined;
  /** Differing lines; undefined if one version of the file is not text. */
  lines: DiffLine[] | undefined;
}

function compareFiles(before: ArtifactRecord, after: ArtifactRecord): Change[] {
  const old = new Map(listFiles(before).map((file) => [file.path, file]));
  const current = new Map(listFiles(after).map((file) => [file.path, file]));
  const paths = [...new Set([...old.keys(), ...current.keys()])];
  return paths.flatMap((path): Change[] => {
    const a = old.get(path);
    const b = current.get(path);
    const [textA, textB] = [textOf(a), textOf(b)];
    if (textA !== undefined && textB !== undefined) {
      if (textA === textB && a?.executable === b?.executable) return [];
      return [{ path, before: a, after: b, lines: diffLines(textA, textB) }];
    }
    const isSame = a?.size === b?.size && sameBytes(a?.bytes, b?.bytes);
    return isSame ? [] : [{ path, before: a, after: b, lines: undefined }];
  });
}

function textOf(file: RecordFile | undefined): string | undefined {
  if (file === undefined) return '';
  return file.bytes === undefined ? undefined : toText(file.bytes);
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function FileChange({ change }: { change: Change }): ReactElement {
  const { path, before, after, lines } = change;
  const added = lines?.filter(({ kind }) => kind === 'added').length ?? 0;
  const removed = lines?.filter(({ kind }) => kind === 'removed').length ?? 0;
  const state = before === undefined ? 'new' : after === undefined ? 'removed' : undefined;
  return (
    <section className={styles.diff}>
      <header className={filesStyles.head}>
        <h3>{escapeControls(path)}</h3>
        {state !== undefined && <span className={chipStyles.chip}>{state}</span>}
        {before !== undefined && after !== undefined && before.executable !== after.executable && (
          <span className={chipStyles.chip}>
            {after.executable ? 'now executable' : 'not executable'}
          </span>
        )}
        {lines !== undefined && (
          <span className={styles.counts}>
            <span className={styles.plus}>+{formatCount(added)}</span>{' '}
            <span className={styles.minus}>−{formatCount(removed)}</span>
          </span>
        )}
      </header>
      {lines === undefined ? (
        <p className={classes(textStyles.note, styles.binary)}>
          Not shown as text: {formatBytes(before?.size ?? 0)} before,{' '}
          {formatBytes(after?.size ?? 0)} after.
        </p>
      ) : (
        <div className={tableStyles.scroll}>
          <table className={styles.lines}>
            <caption className={textStyles.visuallyHidden}>
              Changed lines of {escapeControls(path)}
            </caption>
            <tbody>
              {toHunks(lines).map((hunk, at) => (
                <Fragment key={hunk[0]?.after ?? `-${hunk[0]?.before ?? at}`}>
                  {at > 0 && (
                    <tr className={styles.gap}>
                      <td colSpan={3}>⋯</td>
                    </tr>
                  )}
                  {hunk.map((line) => (
                    <tr key={`${line.before ?? ''}:${line.after ?? ''}`} data-kind={line.kind}>
                      <td className={styles.number}>{line.before}</td>
                      <td className={styles.number}>{line.after}</td>
                      <td className={styles.text}>
                        <span aria-hidden="true">{SIGNS[line.kind]}</span>
                        {line.kind !== 'same' && (
                          <span className={textStyles.visuallyHidden}>{line.kind}: </span>
                        )}
                        {escapeControls(line.text, 'tabs')}
                      </td>
                    </tr>
                  ))}
                </Fragment>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '−' };

function toHunks(lines: readonly DiffLine[]): DiffLine[][] {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== 'same'),
  );
  const hunks: DiffLine[][] = [];
  for (const [at, one] of lines.entries()) {
    if (near[at] !== true) continue;
    if (near[at - 1] === true) hunks.at(-1)?.push(one);
    else hunks.push([one]);
  }
  return hunks;
}
