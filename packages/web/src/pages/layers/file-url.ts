import type { IngestJob } from '@catalog/contract/records/ingest';
import type { Layer } from '@catalog/contract/records/layer';

/** Path between repository and commit, and anchor of a line, by git host. */
const HOSTS: Readonly<Record<string, { path: string; line: string }>> = {
  'git-host-a': { path: 'blob', line: '#L' },
  'git-host-b': { path: '-/blob', line: '#L' },
  'git-host-c': { path: 'src', line: '#lines-' },
};

/** Returns the URL of a file at its git host; undefined for other sources. */
export function fileUrl(
  { source_type, repo, root, git_provider }: Layer,
  { report }: Pick<IngestJob, 'report'>,
  { file, line }: { file: string | undefined; line: number | undefined },
): string | undefined {
  const host = HOSTS[git_provider];
  const commit = report?.reference ?? '';
  if (source_type !== 'git' || host === undefined || file === undefined || commit === '')
    return undefined;
  if (!repo.startsWith('https://')) return undefined;
  const path = [...root.split('/'), ...file.split('/')].filter((part) => part !== '');
  const page = [repo.replace(/\.git$/, ''), host.path, commit, ...path.map(encodeURIComponent)];
  return `${page.join('/')}${line === undefined ? '' : `${host.line}${line}`}`;
}
