import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { GIT_PROVIDER_NAMES, GIT_PROVIDERS } from '@catalog/contract/records/layer';
import { pathProblem } from '../artifact/safe-path.ts';
import { classifyRepo } from './classify-repo.ts';

/** Normalizes the root of a layer. `.` and `/` mean the top, because an empty value in a patch changes nothing. */
export function readLayerRoot(root: string): string {
  const plain = root.replace(/^(?:\.?\/)+|\/+$/g, '');
  if (plain === '' || plain === '.') return '';
  const problem = pathProblem(plain);
  if (problem !== undefined) {
    throw new CatalogError('registry.invalid_argument', `\`root\` \`${root}\` ${problem}.`, {
      details: { argument: 'root' },
      suggested_action:
        'Use a folder inside the source, relative to its root, with `/` as the separator.',
    });
  }
  return plain;
}

/** Parses the URL of a repository. Rejects passwords, because all users who can list layers see the URL. */
export function readRepo(repo: string): string {
  const place = classifyRepo(repo);
  if (place.kind === 'host_path' || !place.has_password) return repo;
  throw new CatalogError('registry.invalid_argument', '`repo` contains a password or token.', {
    details: { argument: 'repo', constraint: 'no_credentials' },
    suggested_action:
      'Remove it from the URL. The operator of the registry configures credentials for git hosts.',
  });
}

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/** Parses a local path. Rejects a relative one, which would depend on the working directory. */
export function readLocalPath(path: string): string {
  if (ABSOLUTE.test(path) && !path.includes('\0')) return path;
  throw new CatalogError('registry.invalid_argument', '`local_path` must be an absolute path.', {
    details: { argument: 'local_path' },
    suggested_action: 'Use the absolute path of the folder on the host of the registry.',
  });
}

/** Parses a git host, by its stored id or its name. Only git sources have one. */
export function readGitProvider(provider: string, source_type: 'git' | 'local'): string {
  if (provider === '') return '';
  if (source_type !== 'git') {
    throw new CatalogError(
      'registry.invalid_argument',
      '`git_provider` applies only to git sources, but this layer reads a folder.',
      {
        details: { argument: 'git_provider', constraint: 'git_source' },
        suggested_action: 'Leave `git_provider` out.',
      },
    );
  }
  const stored = new Map<string, string>(Object.entries(GIT_PROVIDER_NAMES)).get(provider);
  if (stored !== undefined) return stored;
  if (!GIT_PROVIDERS.some((known) => known === provider)) {
    const names = Object.keys(GIT_PROVIDER_NAMES);
    throw new CatalogError(
      'registry.invalid_argument',
      `Unknown \`git_provider\`: \`${provider}\`.`,
      {
        details: { argument: 'git_provider', constraint: 'known_provider' },
        suggested_action: `Use one of ${names.join(', ')}, or leave it out for ${names[0]}.`,
      },
    );
  }
  return provider;
}
