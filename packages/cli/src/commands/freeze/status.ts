import type { FreezeWindows } from '@catalog/contract/records/freeze';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { formatTime } from '../../output/format-time.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { freezeStatusDefinition } from './definition.ts';
import { renderWindows } from './render-windows.ts';

type Input = CommandInput<typeof freezeStatusDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const state = await loadRegistryServer(session, flags).getFreezeWindows(session.signal);
  return { lines: renderState(state), json: state };
}

function renderState({ windows, frozen_layers, approvals }: FreezeWindows): Line[] {
  const active = windows.filter((window) => window.active);
  const lines: Line[] =
    active.length === 0
      ? ['No freeze window is active.']
      : [`${count(active.length, 'freeze window')} active`, '', ...renderWindows(active)];
  if (frozen_layers.length > 0) {
    const header = ['frozen layer', 'since'].map((title): Line => [styled('bold', title)]);
    const rows = frozen_layers.map(({ layer, frozen_since }) => [layer, formatTime(frozen_since)]);
    lines.push('', ...alignColumns([header, ...rows]));
  }
  if (approvals.length === 0) return lines;
  const header = ['approved', 'by', 'until'].map((title): Line => [styled('bold', title)]);
  const rows = approvals.map(({ layer, reference, window, approver, expires_at }) => [
    window === undefined ? `ingest of ${layer} at ${reference}` : `weakening ${window}`,
    approver,
    formatTime(expires_at),
  ]);
  return [...lines, '', ...alignColumns([header, ...rows])];
}
