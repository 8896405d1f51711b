import type { Layer } from '@catalog/contract/records/layer';

/** Formats a source such as `github.com/acme/agents@main`; empty if the caller must not see it. */
export function sourceOf({ source_type, repo, ref, root, local_path }: Layer): string {
  if (source_type === 'local') return local_path;
  if (repo === '') return '';
  const short = repo.replace(/^https?:\/\/(?:[^@/]*@)?/, '').replace(/\.git$/, '');
  return `${short}${ref === '' ? '' : `@${ref}`}${root === '' ? '' : ` in ${root}`}`;
}
