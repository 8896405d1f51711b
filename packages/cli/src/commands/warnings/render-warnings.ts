import { count, listSome, styled, type Line } from '../../output/text.ts';
import type { SyncWarning } from './list-warnings.ts';

const SHOWN_IDS = 2;
/** Maximum number of groups in a sync; `catalog warnings` and `--verbose` show all. */
const SHOWN_GROUPS = 5;

interface WarningGroup {
  kind: SyncWarning['kind'];
  harness: string | undefined;
  message: string;
  acknowledged: boolean;
  ids: string[];
}

interface Detail {
  verbose: boolean;
  several: boolean;
  command: string;
}

export function renderWarningSummary(warnings: readonly SyncWarning[], detail: Detail): Line[] {
  if (warnings.length === 0) return [];
  const groups = groupWarnings(warnings, detail.verbose ? messageOf : withoutName);
  const shown = detail.verbose ? groups : groups.slice(0, SHOWN_GROUPS);
  const hint =
    warnings.length === 1
      ? `To hide this warning, run \`${detail.command} --acknowledge\`.`
      : `To list all ${warnings.length} warnings, run \`${detail.command}\`. To hide them, add --acknowledge.`;
  return [...shown.map((group) => summaryLine(group, detail)), [styled('dim', hint)]];
}

export function renderWarningList(warnings: readonly SyncWarning[]): Line[] {
  const groups = groupWarnings(warnings, messageOf);
  const acknowledged = warnings.filter((warning) => warning.acknowledged).length;
  const total = count(warnings.length, 'warning');
  return [
    ...[...Map.groupBy(groups, ({ harness }) => harness)].flatMap(([harness, members]): Line[] => [
      [styled('bold', harness ?? 'lint')],
      ...members.map(listLine),
    ]),
    acknowledged === 0 ? total : `${total}, ${acknowledged} acknowledged`,
  ];
}

function listLine({ kind, ids, message, acknowledged }: WarningGroup): Line {
  const who = ids.length === 0 ? '' : `${ids.join(', ')}${kind === 'skipped' ? ' skipped' : ''}: `;
  return [`  ${who}${message}`, acknowledged ? styled('dim', ' [acknowledged]') : ''];
}

function groupWarnings(
  warnings: readonly SyncWarning[],
  reasonOf: (warning: SyncWarning) => string,
): WarningGroup[] {
  const byReason = Map.groupBy(warnings, (warning) =>
    JSON.stringify([warning.kind, warning.harness, warning.acknowledged, reasonOf(warning)]),
  );
  return [...byReason.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const { kind, harness, acknowledged } = first;
    const isSame = members.every(({ message }) => message === first.message);
    const ids = members.map(({ artifact_id }) => artifact_id).filter((id) => id !== undefined);
    const message = isSame ? first.message : reasonOf(first);
    return [{ kind, harness, message, acknowledged, ids }];
  });
}

function messageOf({ message }: SyncWarning): string {
  return message;
}

/** Replaces the name of the artifact in paths with `<name>`, so that equal problems have equal messages. */
function withoutName({ message, artifact_id }: SyncWarning): string {
  const name = artifact_id?.split('/').at(-1);
  if (name === undefined || name === '') return message;
  return message
    .split(' ')
    .map((word) => (word.includes('/') ? word.replaceAll(name, '<name>') : word))
    .join(' ');
}

function summaryLine(group: WarningGroup, { verbose, several }: Detail): Line {
  const { kind, harness, message, ids } = group;
  const who = [
    ...(ids.length === 0 ? [] : [listSome(ids, verbose ? ids.length : SHOWN_IDS)]),
    ...(harness !== undefined && (several || ids.length === 0) ? [`(${harness})`] : []),
  ];
  return [
    styled('yellow', kind === 'skipped' ? 'skipped' : 'warning'),
    ` ${who.join(' ')}: ${message}`,
  ];
}
