import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { DirectoryPlan } from '../plan-directory.ts';
import type { PlanFacts, ConsentPrompt } from './rule.ts';

/** Asks for consent to a recovery, because later runs can replace and delete the recovered files. */
export function confirmRecovery({
  plan,
  options: { recover, mode, yes, confirmRecovery: ask },
}: PlanFacts): CatalogError | ConsentPrompt | undefined {
  if (recover !== true || mode !== 'sync' || yes === true) return undefined;
  const { directory } = plan;
  const files = recoveredPaths(plan);
  if (files.length === 0) return undefined;
  const refusal = new CatalogError(
    'materialize.consent_required',
    `Nothing was changed: this would record ${files.length === 1 ? '1 file' : `${files.length} files`} in ${directory} as written by catalog.\n${files.map((path) => `  ${path}`).join('\n')}`,
    {
      details: { directory, harnesses: [], writes: [], edits: files },
      suggested_action: 'Check the list, then run again with `--yes`.',
    },
  );
  return ask === undefined ? refusal : { ask: () => ask({ directory, files }), refusal };
}

function recoveredPaths({ previous, recovered, files, shared }: DirectoryPlan): string[] {
  const rebuilt = recovered ? [...previous.files, ...previous.entries] : [];
  const claimed = [
    ...files.claimed.filter(({ claim }) => claim === 'recover'),
    ...shared.filter(({ claimed: entries }) => entries.some(({ claim }) => claim === 'recover')),
  ];
  return [...new Set([...rebuilt, ...claimed].map(({ path }) => path))];
}
