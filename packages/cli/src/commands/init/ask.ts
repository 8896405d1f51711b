import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { select, text } from '@clack/prompts';
import { adapters } from '@catalog/harness/registry';
import type { Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';

/** What flags already answered, and the harnesses that are in use here. */
interface Known {
  registry: string | undefined;
  harness: string | undefined;
  found: readonly string[];
}

const LIKELY_REGISTRIES = ['registry', 'artifacts', 'skills', 'catalog'];

/** Asks for what no flag answered. Only called in a terminal. */
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
      message: 'Where are the artifacts? A folder, or the address of a registry.',
      placeholder: proposal,
      defaultValue: proposal,
    }),
  );
}

async function askHarness(found: readonly string[]): Promise<string> {
  const inUse = new Set(found);
  const ids = [...found, ...[...adapters.keys()].filter((id) => !inUse.has(id))];
  return answered(
    await select({
      message: 'Which harness should they go into?',
      initialValue: ids[0] ?? 'none',
      options: ids.map((id) => ({
        value: id,
        label: id,
        hint: inUse.has(id) ? 'in use here' : (adapters.get(id)?.summary ?? ''),
      })),
    }),
  );
}

function answered(answer: string | symbol): string {
  if (typeof answer === 'string') return answer;
  throw usageError('Nothing was chosen, and nothing was written.', 'Run `catalog init` again.', {
    command: 'init',
  });
}
