import type { ShownFreezeWindow } from '@catalog/contract/records/freeze';
import { formatTime } from '../../output/format-time.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';

export function renderWindows(windows: readonly ShownFreezeWindow[]): Line[] {
  const titles = ['window', 'period', 'blocks', 'source', 'active until'];
  const header = titles.map((title): Line => [styled('bold', title)]);
  const rows = windows.map((window): Line[] => [
    window.name,
    describePeriod(window),
    window.blocks.join(', '),
    window.source,
    formatTime(window.active_until),
  ]);
  return alignColumns([header, ...rows]);
}

function describePeriod({ start, end, starts, ends, time_zone }: ShownFreezeWindow): string {
  return start === undefined
    ? `${starts} to ${ends} (${time_zone})`
    : `${formatTime(start)} to ${formatTime(end)}`;
}
