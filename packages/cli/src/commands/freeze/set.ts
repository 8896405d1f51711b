import { FREEZE_BLOCKS, type FreezeWindow } from '@catalog/contract/records/freeze';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { parseTime } from '../parse-time.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { freezeSetDefinition } from './definition.ts';
import { renderWindows } from './render-windows.ts';
import { replaceWindow } from './replace-window.ts';

type Input = CommandInput<typeof freezeSetDefinition>;

export async function run(
  { flags, arguments: { name } }: Input,
  session: Session,
): Promise<CommandResult> {
  const window = readWindow(name, flags);
  const client = loadRegistryServer(session, flags);
  const before = await client.getFreezeWindows(session.signal);
  const after = await replaceWindow(client, before, { name, window }, flags, session.signal);
  const isNew = before.windows.every((other) => other.name !== name);
  const stored = after.windows.filter((other) => other.name === name);
  return {
    lines: [`${isNew ? 'Created' : 'Replaced'} the window ${name}`, '', ...renderWindows(stored)],
    json: { windows: stored },
  };
}

function readWindow(name: string, flags: Input['flags']): FreezeWindow {
  const { start, end, starts, ends, 'time-zone': time_zone } = flags;
  const blocks = FREEZE_BLOCKS.filter((block) => (flags.block ?? ['ingest']).includes(block));
  if (start !== undefined && end !== undefined && (starts ?? ends ?? time_zone) === undefined) {
    return { name, start: readTime('--start', start), end: readTime('--end', end), blocks };
  }
  const repeats = starts !== undefined && ends !== undefined && time_zone !== undefined;
  if (repeats && (start ?? end) === undefined) return { name, starts, ends, time_zone, blocks };
  throw usageError(
    'A window needs either --start and --end, or --starts, --ends, and --time-zone.',
    "Use `--start 2026-12-18T18:00:00Z --end 2027-01-04T06:00:00Z`, or `--starts '0 18 * * 5' --ends '0 6 * * 1' --time-zone Europe/Berlin`.",
    { command: 'freeze set' },
  );
}

function readTime(flag: string, given: string): string {
  const time = parseTime(given);
  if (time !== undefined) return time;
  throw usageError(
    `${flag} must be a date, or a time with a time zone, not ${given}.`,
    `Use \`${flag} 2026-12-18T18:00:00Z\`.`,
    { command: 'freeze set', argument: flag },
  );
}
