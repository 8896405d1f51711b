import type { RestoreReport } from '@catalog/server/compose-operations';
import type { CopyReport } from '@catalog/server/operations/copy-store';
import type { CommandResult } from '../../command/session.ts';
import { formatBytes } from '@catalog/core/text/format-bytes';
import { count } from '../../output/text.ts';
import { verificationDocument, verificationLines } from './render-verification.ts';

export function describeCopy({ rows, objects, object_bytes }: CopyReport): string {
  const large =
    objects === 0 ? '' : `, ${count(objects, 'object')} of ${formatBytes(object_bytes)}`;
  return `${count(rows.versions, 'version')} in ${count(rows.layers, 'layer')}${large}`;
}

export function restoreResult(done: string, report: RestoreReport): CommandResult {
  const { verification, ...copied } = report;
  const how = report.resumed ? ', resuming an earlier run' : '';
  return {
    lines: [`${done} ${describeCopy(report)}${how}`, ...verificationLines(verification)],
    json: { ...copied, verification: verificationDocument(verification) },
    exit: verification.finding_count === 0 ? 0 : 1,
  };
}
