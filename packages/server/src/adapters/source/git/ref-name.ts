/** What a layer's `ref` may mean, to be tried in this order. */
export type RefMeaning =
  | { kind: 'commit'; commit: string }
  | { kind: 'names'; names: readonly string[] };

const COMMIT = /^[0-9a-f]{40}$/;
const LONGEST_REF = 255;

/**
 * A branch, a tag, a full ref or a commit; empty means the repository's own default branch. Undefined
 * for what git would not take for a ref, such as an option. A branch goes before a tag of the same
 * name: a layer follows what moves.
 */
export function readRef(ref: string): RefMeaning | undefined {
  if (ref === '' || ref === 'HEAD') return { kind: 'names', names: ['HEAD'] };
  if (COMMIT.test(ref)) return { kind: 'commit', commit: ref };
  if (!isRefName(ref)) return undefined;
  if (ref.startsWith('refs/')) return { kind: 'names', names: [ref] };
  return { kind: 'names', names: [`refs/heads/${ref}`, `refs/tags/${ref}`] };
}

/** The rules of `git check-ref-format`. */
function isRefName(ref: string): boolean {
  if (ref.length > LONGEST_REF || ref.startsWith('-') || ref.endsWith('.')) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|^@$/u.test(ref)) return false;
  return ref
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
