import { relative } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { isAddress } from '../config/is-address.ts';
import type { ResolvedTarget } from '../config/types.ts';

/** Rejects a canonical target inside the registry, whose files the next run would read as artifacts. */
export function refuseTargetInRegistry(
  target: ResolvedTarget,
  adapter: HarnessAdapter,
  registry: string,
): void {
  if (adapter.id !== 'none') return;
  refuseInside(
    target.directory,
    registry,
    'the layout of harness none',
    'Choose a harness with --harness, or a folder outside the registry with --target.',
  );
}

/** Rejects a folder inside another; hidden folders are allowed. */
export function refuseInside(
  directory: string,
  registry: string,
  what: string,
  advice: string,
): void {
  if (isAddress(registry)) return;
  const inside = relative(registry, directory);
  if (inside.startsWith('..') || inside.split('/').some((segment) => segment.startsWith('.')))
    return;
  throw new CatalogError(
    'config.invalid',
    `The target ${directory} is inside the registry ${registry}, so ${what} would be read back as artifacts.`,
    { details: { target: directory, registry }, suggested_action: advice },
  );
}
