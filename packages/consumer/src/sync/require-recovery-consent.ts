import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { DirectoryPlan } from './plan-directory.ts';
import type { RecoveryRequest, SyncRun } from './sync-options.ts';

/** A recovered file can be replaced and deleted from then on, so the user has to agree to the list. */
export async function requireRecoveryConsent(
  plan: DirectoryPlan,
  { options }: Pick<SyncRun, 'options'>,
): Promise<void> {
  if (options.recover !== true || options.mode !== 'sync' || options.yes === true) return;
  const request: RecoveryRequest = { directory: plan.directory, files: recoveredPaths(plan) };
  if (request.files.length === 0 || (await options.confirmRecovery?.(request)) === true) return;
  throw new CatalogError(
    'materialize.consent_required',
    `Nothing was changed: this would record ${request.files.length === 1 ? '1 file' : `${request.files.length} files`} in ${plan.directory} as written by catalog.\n${request.files.map((path) => `  ${path}`).join('\n')}`,
    {
      details: { directory: plan.directory, harnesses: [], writes: [], edits: request.files },
      suggested_action: 'Check the list, then run again with `--yes`.',
    },
  );
}

function recoveredPaths({ previous, recovered, files, shared }: DirectoryPlan): string[] {
  const rebuilt = recovered ? [...previous.files, ...previous.entries] : [];
  const claimed = [
    ...files.claimed.filter(({ claim }) => claim === 'recover'),
    ...shared.filter(({ claimed: entries }) => entries.some(({ claim }) => claim === 'recover')),
  ];
  return [...new Set([...rebuilt, ...claimed].map(({ path }) => path))];
}
