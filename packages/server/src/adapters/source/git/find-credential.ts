import { DEFAULT_PORTS, type NetworkRepo } from '@catalog/core/layer/classify-repo';
import type { GitCredential } from '@catalog/core/ports/git-credential';

/** Requires matching scheme, host and port; the longest path prefix that ends at a segment wins. */
export function findCredential(
  repo: NetworkRepo,
  credentials: readonly GitCredential[],
): GitCredential | undefined {
  const segments = segmentsOf(repo.path);
  // A path with `..` or an escape could leave the prefix of the credential.
  if (segments.includes('..') || repo.path.includes('%')) return undefined;
  return credentials
    .filter((credential) => isForServer(credential, repo))
    .map((credential) => ({ credential, prefix: segmentsOf(credential.path_prefix ?? '') }))
    .filter(({ prefix }) => prefix.every((segment, index) => segments[index] === segment))
    .sort((a, b) => b.prefix.length - a.prefix.length)[0]?.credential;
}

/**
 * Requires a matching port and scheme: ports of a host can belong to different servers, and plain
 * HTTP would expose the password.
 */
function isForServer(credential: GitCredential, repo: NetworkRepo): boolean {
  const scheme = credential.scheme ?? (credential.ssh_key === undefined ? 'https' : 'ssh');
  const port = credential.port ?? DEFAULT_PORTS[scheme];
  return (
    scheme === repo.scheme && port === repo.port && credential.host.toLowerCase() === repo.host
  );
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}
