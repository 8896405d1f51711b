import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ConsentRequest } from '../sync-options.ts';
import type { PlanFacts, ConsentPrompt } from './rule.ts';

/**
 * Asks for consent to write to the home folder, which contains settings of all programs. The lock in it records the
 * consent.
 */
export function confirmFirstWrite({
  plan: { directory, files, shared, previous },
  planned,
  config: { scope },
  options: { mode, yes, confirmConsent: ask },
}: PlanFacts): CatalogError | ConsentPrompt | undefined {
  if (scope !== 'user' || mode !== 'sync' || yes === true) return undefined;
  if (previous.targets.length > 0) return undefined;
  const request: ConsentRequest = {
    directory,
    harnesses: [...new Set(planned.map(({ locked }) => locked.harness))],
    writes: files.writes.map(({ path }) => path),
    edits: shared.filter(({ changed }) => changed).map(({ path }) => path),
  };
  const { writes, edits } = request;
  if (writes.length + edits.length === 0) return undefined;
  const count = writes.length === 1 ? '1 file' : `${writes.length} files`;
  const refusal = new CatalogError(
    'materialize.consent_required',
    `Nothing was written: this would write ${count} to ${directory} and change ${listed(edits)}.`,
    { details: { ...request } },
  );
  return ask === undefined ? refusal : { ask: () => ask(request), refusal };
}

function listed(paths: readonly string[]): string {
  return paths.length === 0 ? 'no existing file' : paths.join(', ');
}
