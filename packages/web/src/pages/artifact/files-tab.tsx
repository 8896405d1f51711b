import { formatBytes } from '@catalog/core/text/format-bytes';
import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { ReactElement } from 'react';
import { Link, useSearch } from 'wouter';
import { artifactHref } from '../../app/links.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { countOf } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { languageOfFile } from '../../parts/languages.ts';
import { Notice } from '../../parts/notice.tsx';
import { moveThroughResults, RESULT } from '../../parts/result-keys.ts';
import type { Pin } from './pin.ts';
import { listFiles, toText, type RecordFile } from './record-files.ts';
import * as buttonStyles from '../../parts/button.module.css';
import * as chipStyles from '../../parts/chip.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as filesStyles from './files.module.css';

export function FilesTab({ record, pin }: { record: ArtifactRecord; pin: Pin }): ReactElement {
  const files = listFiles(record);
  const chosen = new URLSearchParams(useSearch()).get('file');
  const file = files.find(({ path }) => path === chosen) ?? files[0];
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <div className={filesStyles.files}>
      <nav aria-label="Files">
        <p className={textStyles.meta}>
          {countOf(files.length, 'file')}, {formatBytes(total)}
        </p>
        <ul onKeyDown={moveThroughResults}>
          {files.map(({ path, size, executable }) => (
            <li key={path}>
              <Link
                href={artifactHref(record.id, { tab: 'files', file: path, ...pin })}
                aria-current={path === file?.path ? 'true' : undefined}
                {...RESULT}
              >
                <Icon name="file" size={14} />
                <span className={filesStyles.path}>{escapeControls(path)}</span>
                {executable && <span className={chipStyles.chip}>executable</span>}
                <span className={filesStyles.count}>{formatBytes(size)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {file !== undefined && (
        <section className={filesStyles.file}>
          {chosen !== null && chosen !== file.path && (
            <p className={textStyles.hint}>
              There is no file {escapeControls(chosen)} in this version.
            </p>
          )}
          <FileContent file={file} />
        </section>
      )}
    </div>
  );
}

function FileContent({ file }: { file: RecordFile }): ReactElement {
  const { path, bytes, size, url } = file;
  const text = bytes === undefined ? undefined : toText(bytes);
  return (
    <>
      <header className={filesStyles.head}>
        <h2>{escapeControls(path)}</h2>
        {text !== undefined && <CopyButton text={text} label={`Copy ${escapeControls(path)}`} />}
      </header>
      {text === undefined ? (
        <Notice
          title={bytes === undefined ? 'This file is large' : 'This file is not text'}
          action={
            url === undefined ? undefined : (
              <a className={buttonStyles.button} href={url} rel="noreferrer" download>
                Download
              </a>
            )
          }
        >
          {formatBytes(size)}. It is installed with the artifact, but not shown here.
        </Notice>
      ) : (
        <CodeBlock text={text.replace(/\n$/, '')} language={languageOfFile(path)} hasLines />
      )}
    </>
  );
}
