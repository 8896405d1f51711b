import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import { useMemo, type ReactElement } from 'react';
import { Link } from 'wouter';
import { artifactHref } from '../../app/links.ts';
import type { MarkdownContext } from '../../lazy/markdown.tsx';
import { lazyComponent } from '../../parts/lazy-component.tsx';
import { Skeleton } from '../../parts/notice.tsx';
import { listFiles } from './record-files.ts';

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

/** Markdown of an artifact, with links to its files and only its own images. */
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

/** An image whose bytes this page has in memory. */
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
