import { openLocalState } from '@catalog/consumer/lock/local-state';
import { readAcknowledged } from '@catalog/consumer/lock/acknowledged-warnings';
import type { TargetReport } from '@catalog/consumer/sync/report';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { budgetLine } from '../budget/render-budget.ts';

/** Warning of a sync, which never fails a run. */
export interface SyncWarning {
  kind: 'skipped' | 'converted' | 'minor' | 'budget' | 'lint';
  /** Harness; undefined for lint warnings. */
  harness: string | undefined;
  /** Artifact; undefined for the size of the listing, which all skills share. */
  artifact_id: string | undefined;
  message: string;
  hash: string;
  acknowledged: boolean;
  directory: string;
  /** Target; undefined for lint warnings. */
  target: string | undefined;
}

type Unhashed = Omit<SyncWarning, 'hash' | 'acknowledged'> & { identity?: string };

export function listSyncWarnings(targets: readonly TargetReport[], home: string): SyncWarning[] {
  return listWarnings(targets, home).filter(({ kind }) => kind !== 'minor');
}

/** Lists warnings: skipped artifacts first, lint warnings last and once per registry. */
export function listWarnings(targets: readonly TargetReport[], home: string): SyncWarning[] {
  const found = [
    ...targets.flatMap((target) => about('skipped', target.skipped, target)),
    ...targets.flatMap((target) => [
      ...about(
        'converted',
        target.fallbacks.filter(({ minor }) => minor !== true),
        target,
      ),
      ...budget(target),
    ]),
    ...targets.flatMap((target) =>
      about(
        'minor',
        target.fallbacks.filter(({ minor }) => minor === true),
        target,
      ),
    ),
    ...[...new Map(targets.map((target) => [target.registry, target])).values()].flatMap(lint),
  ];
  const acknowledged = new Map<string, ReadonlySet<string>>();
  return found.map(({ identity, ...warning }) => {
    const { kind, harness, artifact_id, message, directory } = warning;
    if (!acknowledged.has(directory)) {
      acknowledged.set(directory, readAcknowledged(openLocalState(directory, home)));
    }
    const key = JSON.stringify([kind, harness, artifact_id, identity ?? message]);
    const hash = bytesHash(Buffer.from(key));
    return {
      ...warning,
      hash,
      acknowledged: acknowledged.get(directory)?.has(hash) === true,
    };
  });
}

function about(
  kind: 'skipped' | 'converted' | 'minor',
  rows: readonly { artifact_id: string; reason: string }[],
  { harness, directory, target }: TargetReport,
): Unhashed[] {
  return rows.map(({ artifact_id, reason: message }) => ({
    kind,
    harness,
    artifact_id,
    message,
    directory,
    target,
  }));
}

/** The numbers change with every artifact, so they do not identify the warning. */
function budget({ budget: use, harness, directory, target }: TargetReport): Unhashed[] {
  if (use === undefined || use.to_shorten === 0) return [];
  const message = `${budgetLine(use)}; run \`catalog budget\` to see which to shorten`;
  return [
    {
      kind: 'budget',
      harness,
      artifact_id: undefined,
      message,
      directory,
      target,
      identity: 'budget',
    },
  ];
}

function lint({ warnings, directory }: TargetReport): Unhashed[] {
  return warnings.map(({ artifact_id, code, message }) => ({
    kind: 'lint',
    harness: undefined,
    artifact_id,
    message: `${message} (${code})`,
    directory,
    target: undefined,
  }));
}
