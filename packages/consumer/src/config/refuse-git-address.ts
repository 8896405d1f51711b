import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { withoutSecrets } from '../marketplace/without-secrets.ts';

const GIT_ADDRESS =
  /^(?:(?:ssh|git|git\+[a-z]+):\/\/|[\w.-]+@[\w.-]+:(?!\/\/)|https?:\/\/.*\.git$)/i;

export function isGitAddress(registry: string): boolean {
  return GIT_ADDRESS.test(registry);
}

/** Rejects a git URL as the registry: clone the repository, or serve it as a layer. */
export function refuseGitAddress(registry: string): void {
  if (!isGitAddress(registry)) return;
  const shown = withoutSecrets(registry);
  throw new CatalogError(
    'config.no_registry',
    `${shown} is the URL of a git repository; a registry is a folder or the URL of a catalog server.`,
    {
      details: { registry: shown },
      suggested_action:
        'Clone it and pass the folder with --registry, or register it as a git layer of a server: `catalog serve`, then `catalog layer register --help`.',
    },
  );
}
