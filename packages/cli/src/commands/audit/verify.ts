import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { parseVerifierKey } from '@catalog/core/audit/signed-note';
import { verifyAuditLog } from '@catalog/server/compose-operations';
import { AUDIT_ADVICE, type AuditFinding } from '@catalog/server/operations/audit-findings';
import type { AuditReport, Reopening } from '@catalog/server/operations/verify-audit';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { count, styled, type Line } from '../../output/text.ts';
import { readSettings, toHooks } from '../admin/read-settings.ts';
import type { auditVerifyDefinition } from './proof-definition.ts';

type Report = AuditReport & { unsigned: string | undefined };

export async function run(
  { flags }: CommandInput<typeof auditVerifyDefinition>,
  session: Session,
): Promise<CommandResult> {
  const settings = readSettings(flags, 'audit verify', session);
  const keys = (flags.key ?? []).map((path) => readKey(resolve(session.cwd, path)));
  const report = await verifyAuditLog(settings, keys, toHooks(session));
  return {
    lines: toLines(report),
    json: toDocument(report),
    exit: report.finding_count === 0 ? 0 : 1,
  };
}

function readKey(path: string): KeyObject {
  const key = parseKey(path);
  if (key !== undefined) return key;
  throw new CatalogError('config.invalid', `${path} is not a public key of an audit log.`, {
    details: { path },
    suggested_action: 'Pass a file with an Ed25519 public key in PEM, or as a note verifier key.',
  });
}

function parseKey(path: string): KeyObject | undefined {
  try {
    return parseVerifierKey(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function toLines(report: Report): Line[] {
  const { records, covered, checkpoints, unsigned, reopenings, findings, finding_count } = report;
  const seen = `${count(records, 'record')}, ${covered} covered by ${count(checkpoints, 'checkpoint')}`;
  const notes = [
    ...reopenings.map(reopeningLine),
    ...(unsigned === undefined ? [] : [`Signatures were not checked: ${unsigned}.`]),
  ];
  if (finding_count === 0) {
    return [[styled('green', 'ok'), `  ${seen}: no problems`], ...notes];
  }
  const lines: Line[] = [[styled('red', count(finding_count, 'finding')), ` in ${seen}`]];
  for (const [kind, some] of Map.groupBy(findings, (finding) => finding.kind)) {
    lines.push('', [styled('bold', kind), `  ${AUDIT_ADVICE[kind]}`], ...some.map(findingLine));
  }
  const left = finding_count - findings.length;
  if (left > 0) lines.push('', `and ${left} more`);
  return [...lines, '', ...notes];
}

function findingLine({ tenant, position, message }: AuditFinding): Line {
  if (position === 0) return `  ${tenant <= 1 ? '' : `tenant ${tenant}  `}${message}`;
  return `  ${place(tenant, position)}  ${message}`;
}

function reopeningLine({ tenant, position, cause, reason, lost }: Reopening): Line {
  const why = reason === undefined ? cause : `${cause}: ${reason}`;
  const range = lost === undefined ? '' : `; the records ${lost.from} to ${lost.to} were lost`;
  return `${place(tenant, position)} starts a new tree (${why})${range}.`;
}

function place(tenant: number, position: number): string {
  return `${tenant <= 1 ? '' : `tenant ${tenant} `}record ${position}`;
}

function toDocument({ findings, ...report }: Report): unknown {
  return {
    ok: report.finding_count === 0,
    ...report,
    findings: findings.map((finding) => ({
      ...finding,
      suggested_action: AUDIT_ADVICE[finding.kind],
    })),
  };
}
