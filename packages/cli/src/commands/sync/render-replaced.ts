import type { Config } from '@catalog/consumer/config/types';
import type { SyncReport, TargetReport } from '@catalog/consumer/sync/report';
import { styled, type Line } from '../../output/text.ts';

export function renderReplaced(
  mode: SyncReport['mode'],
  { replaced = [] }: TargetReport,
  { config }: { config: Config },
): Line[] {
  if (replaced.length === 0) return [];
  const word = mode === 'sync' ? 'Removed' : 'Would remove';
  const summary = styled('yellow', `${word} the files installed for ${replaced.join(', ')}`);
  const all = new Set([...replaced, ...config.targets.map(({ harness }) => harness)]);
  const byFlag = config.harness.origin.kind === 'flag';
  return [
    ['  ', summary, byFlag ? `; to install for all, use \`--harness ${[...all].join(',')}\`` : ''],
  ];
}
