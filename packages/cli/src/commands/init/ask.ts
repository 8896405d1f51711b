import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { autocompleteMultiselect, CANCEL_SYMBOL, text } from '@clack/prompts';
import { adapters } from '@catalog/harness/registry';
import type { Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';

interface Known {
  registry: string | undefined;
  harness: string | undefined;
  found: readonly string[];
}

const LIKELY_REGISTRIES = ['registry', 'artifacts', 'skills', 'catalog'];

export async function ask(
  known: Known,
  session: Session,
): Promise<{ registry: string; harness: string | undefined }> {
  const registry = known.registry ?? (await askRegistry(session));
  const harness = known.harness ?? (await askHarness(known.found));
  return { registry, harness };
}

async function askRegistry({ cwd }: Session): Promise<string> {
  const there = LIKELY_REGISTRIES.find((name) => existsSync(join(cwd, name)));
  const proposal = `./${there ?? 'registry'}`;
  return answered(
    await text({
      message: 'Registry: a folder or a server URL',
      placeholder: proposal,
      defaultValue: proposal,
    }),
  );
}

async function askHarness(found: readonly string[]): Promise<string> {
  const inUse = new Set(found);
  const chosen = answered(
    await autocompleteMultiselect({
      message: 'Harnesses to install into',
      initialValues: [...found],
      maxItems: SHOWN_HARNESSES,
      required: true,
      options: orderHarnesses([...adapters.keys()], found).map((id) => ({
        value: id,
        label: id,
        hint: inUse.has(id) ? 'in use here' : (adapters.get(id)?.summary ?? ''),
      })),
    }),
  );
  return chosen.join(',');
}

const SHOWN_HARNESSES = 12;

/** Orders harnesses: those in use, other products, then `none` and the ids of the specification. */
export function orderHarnesses(ids: readonly string[], found: readonly string[]): string[] {
  const others = ids.filter((id) => !found.includes(id));
  const isReal = (id: string): boolean => id !== 'none' && !/^harness-[a-z]$/.test(id);
  return [
    ...found,
    ...others.filter(isReal),
    ...others.filter((id) => id === 'none'),
    ...others.filter((id) => id !== 'none' && !isReal(id)),
  ];
}

function answered<T extends string | string[]>(answer: T | typeof CANCEL_SYMBOL): T {
  if (answer !== CANCEL_SYMBOL) return answer;
  throw usageError('Canceled; nothing was written.', 'Run `catalog init` again.', {
    command: 'init',
  });
}
