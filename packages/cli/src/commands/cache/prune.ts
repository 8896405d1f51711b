import { pruneCache } from '@catalog/consumer/cache/prune-cache';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { formatBytes } from '@catalog/core/text/format-bytes';
import { count } from '../../output/text.ts';
import { toConfigInput } from '../config-flags.ts';
import { readNumber } from '../read-number.ts';
import type { cachePruneDefinition } from './definition.ts';

const DEFAULT_DAYS = 30;

type Input = CommandInput<typeof cachePruneDefinition>;

export function run({ flags }: Input, session: Session): CommandResult {
  const folder = loadConfig(toConfigInput(session, {})).cache.value;
  const days = readNumber('--days', flags.days) ?? DEFAULT_DAYS;
  const dry_run = flags['dry-run'];
  const { removed, kept } = pruneCache(folder, { days, dry_run });
  const word = dry_run ? 'to remove' : 'removed';
  return {
    lines: [
      `${word} ${count(removed.files, 'file')}, ${formatBytes(removed.bytes)}; ${formatBytes(kept.bytes)} stay`,
    ],
    json: { folder, days, dry_run, removed, kept },
  };
}
