import type { ArtifactUsage, PopularResponse } from '@catalog/contract/records/usage';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { readNumber } from '../read-number.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { usageDefinition } from './definition.ts';

const DEFAULT_LIMIT = 20;
const DEFAULT_DAYS = 30;

type Input = CommandInput<typeof usageDefinition>;

export async function run(
  { flags, arguments: { artifact } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const limit = readNumber('--limit', flags.limit) ?? DEFAULT_LIMIT;
  if (artifact === undefined) {
    const json = await client.popular({ limit }, session.signal);
    return { lines: renderPopular(json), json };
  }
  const days = readNumber('--days', flags.days) ?? DEFAULT_DAYS;
  const json = await client.artifactUsage({ id: artifact, days }, session.signal);
  return { lines: renderUsage(json), json };
}

function renderPopular({ artifacts, days }: PopularResponse): Line[] {
  if (artifacts.length === 0) return [`No loads or syncs are counted in the last ${days} days.`];
  const titles = ['artifact', 'type', 'version', 'layer', `uses in ${days} days`];
  return alignColumns([
    titles.map(toTitle),
    ...artifacts.map(({ id, type, version, layer, uses }) => [
      id,
      type,
      version,
      layer,
      String(uses),
    ]),
  ]);
}

function renderUsage({ id, since, loads, syncs, days }: ArtifactUsage): Line[] {
  const total = `${id}: ${loads} loads and ${syncs} syncs since ${since}`;
  if (days.length === 0) return [total];
  const rows = days.map(({ day, version, layer, loads: loaded, syncs: synced }) => [
    day,
    version,
    layer,
    String(loaded),
    String(synced),
  ]);
  const titles = ['day', 'version', 'layer', 'loads', 'syncs'];
  return [total, '', ...alignColumns([titles.map(toTitle), ...rows])];
}

function toTitle(title: string): Line {
  return [styled('bold', title)];
}
