import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { isNotFound } from '../../api/errors.ts';
import { versionsQuery } from '../../api/queries.ts';
import { artifactHref } from '../../app/links.ts';
import type { MarkdownContext } from '../../lazy/markdown.tsx';
import { lazyComponent } from '../../parts/lazy-component.tsx';
import { Skeleton } from '../../parts/notice.tsx';
import { listFiles } from './record-files.ts';
import * as textStyles from '../../parts/text.module.css';

const Markdown = lazyComponent('markdown', async () => {
  return (await import('../../lazy/markdown.tsx')).Markdown;
});

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
};

/** Renders Markdown with links to the artifact's files, and images only of the artifact. */
export function ContentText({
  record,
  text,
}: {
  record: ArtifactRecord;
  text: string;
}): ReactElement {
  const files = useMemo(
    () => new Map(listFiles(record).map((file) => [file.path, file])),
    [record],
  );
  const context: MarkdownContext = {
    folder: '',
    fileLink: (path, children) =>
      files.has(path) ? (
        <Link href={artifactHref(record.id, { tab: 'files', file: path })}>{children}</Link>
      ) : undefined,
    artifactLink: (href, children) => {
      const id = toArtifactId(href);
      return id === undefined ? undefined : <ReferenceLink id={id}>{children}</ReferenceLink>;
    },
    image: (path, alt) => {
      const bytes = files.get(path)?.bytes;
      const type = IMAGE_TYPES[path.split('.').at(-1)?.toLowerCase() ?? ''];
      if (bytes === undefined || type === undefined) return undefined;
      return <ArtifactImage bytes={bytes} type={type} alt={alt} />;
    },
  };
  const loading = <Skeleton label="Rendering the text" lines={10} />;
  return <Markdown text={text} context={context} loading={loading} />;
}

const ID = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)+$/;

/** Returns the id in a link, without its pin; undefined for a file name. */
export function toArtifactId(href: string): string | undefined {
  const id = (href.split(/[?#]/)[0] ?? '').replace(/@[^/]*$/, '');
  return ID.test(id) && !/\.[a-z]{1,4}$/.test(id) ? id : undefined;
}

/** Renders a link; plain text if the caller cannot see the artifact. */
function ReferenceLink({ id, children }: { id: string; children: ReactNode }): ReactElement {
  const { error } = useQuery(versionsQuery(id));
  return error !== null && isNotFound(error) ? (
    <span className={textStyles.missing} title={`There is no artifact ${id}`}>
      {children}
    </span>
  ) : (
    <Link href={artifactHref(id)}>{children}</Link>
  );
}

function ArtifactImage({
  bytes,
  type,
  alt,
}: {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  alt: string;
}): ReactElement {
  function show(image: HTMLImageElement): () => void {
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    image.src = url;
    return () => URL.revokeObjectURL(url);
  }
  return <img ref={show} alt={alt} />;
}
