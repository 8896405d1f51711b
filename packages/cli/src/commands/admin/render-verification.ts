import { ADVICE, type Finding } from '@catalog/server/operations/verify-findings';
import type { VerificationReport } from '@catalog/server/operations/verify-store';
import { formatBytes } from '@catalog/core/text/format-bytes';
import { count, styled, type Line } from '../../output/text.ts';

export function verificationLines({
  checked,
  findings,
  finding_count,
}: VerificationReport): Line[] {
  const { layers, versions, files, bytes } = checked;
  const seen = `${count(versions, 'version')} in ${count(layers, 'layer')}, ${count(files, 'file')}, ${formatBytes(bytes)}`;
  if (finding_count === 0) return [[styled('green', 'ok'), `  ${seen}: no problems`]];
  const lines: Line[] = [[styled('red', count(finding_count, 'finding')), ` in ${seen}`]];
  for (const [kind, some] of Map.groupBy(findings, (finding) => finding.kind)) {
    lines.push('', [styled('bold', kind), `  ${ADVICE[kind]}`], ...some.map(toLine));
  }
  const left = finding_count - findings.length;
  if (left > 0) lines.push('', `and ${left} more`);
  return lines;
}

export function verificationDocument(report: VerificationReport): unknown {
  const { checked, findings, finding_count } = report;
  return {
    ok: finding_count === 0,
    checked,
    finding_count,
    findings: findings.map((finding) => ({ ...finding, suggested_action: ADVICE[finding.kind] })),
  };
}

function toLine({ tenant, subject, message }: Finding): Line {
  return `  ${tenant <= 1 ? '' : `tenant ${tenant} `}${subject}  ${message}`;
}
