export type RefMeaning =
  | { kind: 'commit'; commit: string }
  | { kind: 'names'; names: readonly string[] };

const COMMIT = /^[0-9a-f]{40}$/;
const MAX_REF_LENGTH = 255;

/**
 * Parses a branch, tag, full ref or commit. An empty string is the default branch of the repository. Returns undefined
 * for every other value, such as a command-line option. If a branch and a tag have the same name, the branch applies.
 */
export function readRef(ref: string): RefMeaning | undefined {
  if (ref === '' || ref === 'HEAD') return { kind: 'names', names: ['HEAD'] };
  if (COMMIT.test(ref)) return { kind: 'commit', commit: ref };
  if (!isRefName(ref)) return undefined;
  if (ref.startsWith('refs/')) return { kind: 'names', names: [ref] };
  return { kind: 'names', names: [`refs/heads/${ref}`, `refs/tags/${ref}`] };
}

function isRefName(ref: string): boolean {
  if (ref.length > MAX_REF_LENGTH || ref.startsWith('-') || ref.endsWith('.')) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|^@$/u.test(ref)) return false;
  return ref
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
