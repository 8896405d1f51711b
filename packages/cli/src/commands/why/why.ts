import { join, resolve } from 'node:path';
import { isAddress } from '@catalog/consumer/config/is-address';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { openDiscovery } from '@catalog/consumer/discover/open-discovery';
import type { Config } from '@catalog/consumer/config/types';
import { explainPath, type Explanation, type Reason } from '@catalog/consumer/sync/why';
import type { Lineage } from '@catalog/contract/records/artifact';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath, shortRegistry } from '../../output/places.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { getLineage, lineageLines } from '../lineage.ts';
import type { whyDefinition } from './definition.ts';

export async function run(
  input: CommandInput<typeof whyDefinition>,
  session: Session,
): Promise<CommandResult> {
  const config = loadConfig(toConfigInput(session, toConfigFlags(input.flags)));
  const explanation = explainPath(config, session.cwd, input.arguments.path);
  const lineage = await findLineage(config, explanation, session);
  const kept = shortPath(join(explanation.directory, '.catalog/kept'), session);
  return {
    lines: [
      [styled('bold', input.arguments.path), `: ${STATES[explanation.state](kept)}`],
      ...explanation.reasons.flatMap((reason) => reasonLines(reason, explanation, session)),
      ...(lineage === undefined ? [] : lineageLines(lineage)),
    ],
    json:
      lineage === undefined
        ? explanation
        : { ...explanation, parents: lineage.parents, fields: lineage.fields },
    exit: explanation.reasons.length === 0 ? 1 : 0,
  };
}

/** Timeout for the registry, which is optional: the lock alone explains a file. */
const LINEAGE_TIMEOUT_MS = 3000;

/**
 * Returns the parents of the artifact; undefined unless exactly one artifact explains the file and its registry
 * responds.
 */
async function findLineage(
  config: Config,
  { reasons, directory }: Explanation,
  session: Session,
): Promise<Lineage | undefined> {
  const [reason] = reasons;
  const registry = config.registry?.value ?? '';
  if (reason === undefined || !isSameRegistry(reason.registry, registry, directory))
    return undefined;
  if (reasons.some((other) => other.artifact_id !== reason.artifact_id)) return undefined;
  const signal = AbortSignal.any([session.signal, AbortSignal.timeout(LINEAGE_TIMEOUT_MS)]);
  try {
    const discovery = await openDiscovery(config);
    const { artifact_id: id, version, layer } = reason;
    return await getLineage(discovery, { id, version, layer }, signal);
  } catch {
    session.signal.throwIfAborted();
    return undefined;
  }
}

/** Compares the registry of the lock, in which a folder is relative to the lock. */
function isSameRegistry(locked: string, configured: string, directory: string): boolean {
  if (isAddress(locked) || isAddress(configured)) return locked === configured;
  return resolve(directory, locked) === resolve(directory, configured);
}

/** Explanation of each state, with the folder of kept versions as a parameter. */
const STATES: Readonly<Record<Explanation['state'], (kept: string) => string>> = {
  'as written': () => 'managed by catalog, unchanged',
  'edited since': (kept) =>
    `managed by catalog, edited by you; the next sync restores it and keeps your version in ${kept}/`,
  missing: () => 'managed by catalog, deleted; the next sync restores it',
  'shared with you': () => 'shared file; catalog manages these entries',
  'already there': () =>
    'yours: it existed before catalog, with the content of an artifact. A sync never changes or removes it; to let catalog manage it, use `catalog sync --take-over`',
  'an artifact': () => 'an artifact that catalog delivered here',
  'not written by catalog': () => 'not managed by catalog',
};

function reasonLines(reason: Reason, { directory }: Explanation, session: Session): Line[] {
  const rows: [string, string][] = [
    ['artifact', `${reason.artifact_id} ${reason.version}`],
    ['layer', reason.layer],
    ['registry', shortRegistry(reason.registry, directory, session)],
    ['target', reason.target],
    ['harness', reason.harness],
    ['content', reason.content_hash],
  ];
  if (reason.at !== undefined) rows.unshift(['entry', reason.at.join('.')]);
  if (reason.pre_existing === true) rows.push(['owner', 'you: existed before catalog']);
  for (const [index, path] of (reason.paths ?? []).entries()) {
    rows.push([index === 0 ? 'files' : '', path]);
  }
  return ['', ...alignColumns(rows, '  ')];
}
