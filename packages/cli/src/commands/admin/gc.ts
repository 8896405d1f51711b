import { collectEverywhere } from '@catalog/server/registry/retention/collect-everywhere';
import type { CollectedObjects } from '@catalog/server/registry/retention/collect-objects';
import { useRegistry } from '@catalog/server/use-registry';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { formatBytes } from '@catalog/core/text/format-bytes';
import { count } from '../../output/text.ts';
import { readDuration } from '../read-duration.ts';
import type { adminGcDefinition } from './gc-definition.ts';
import { readSettings } from './read-settings.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_AGE_MS = 24 * HOUR_MS;

type Input = CommandInput<typeof adminGcDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const min_age_ms = readAge(flags['min-age']);
  const dry_run = !flags.yes;
  const settings = readSettings(flags, 'admin gc', session);
  const onProgress = (examined: number): void =>
    session.progress(`Checked ${count(examined, 'file')}`);
  const collected = await useRegistry(settings, (registry) =>
    collectEverywhere(registry, { min_age_ms, dry_run, onProgress }, session.signal),
  );
  return {
    lines: describe(collected, dry_run),
    json: { dry_run, min_age_seconds: min_age_ms / 1000, ...collected },
  };
}

/** Parses the minimum age. At least an hour is required, which is longer than any ingest. */
function readAge(given: string | undefined): number {
  const age = readDuration('--min-age', given) ?? DEFAULT_AGE_MS;
  if (age >= HOUR_MS) return age;
  throw usageError('--min-age must be at least 1h.', 'Use `--min-age 24h`, or omit it.', {
    command: 'admin gc',
    argument: '--min-age',
  });
}

function describe({ examined, unreferenced }: CollectedObjects, dry_run: boolean): string[] {
  const word = dry_run ? 'Would remove' : 'Removed';
  const found = `${word} ${count(unreferenced.objects, 'file')}, ${formatBytes(unreferenced.bytes)} (of ${count(examined.objects, 'file')}, ${formatBytes(examined.bytes)})`;
  if (!dry_run || unreferenced.objects === 0) return [found];
  return [found, 'Next: to remove them, run `catalog admin gc --yes`.'];
}
