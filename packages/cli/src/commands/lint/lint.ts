import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { VERSION } from '@catalog/contract/version';
import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import { formatGithub } from '@catalog/core/lint/format-github';
import { formatHuman } from '@catalog/core/lint/format-human';
import { formatSarif } from '@catalog/core/lint/format-sarif';
import { toLintReport, type LintReport } from '@catalog/core/lint/lint-report';
import type { ReportOptions } from '@catalog/core/lint/summary';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { relativePath, shortPath } from '../../output/places.ts';
import { styled } from '../../output/text.ts';
import { chooseScope, type LintScope } from './choose-scope.ts';
import type { lintDefinition } from './definition.ts';
import { findProblems, pathOfFinding, type Findings } from './find-problems.ts';
import { fixFiles, type FixedPath } from './fix-files.ts';

type Input = CommandInput<typeof lintDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const scope = chooseScope('lint', input, session);
  let findings = await findProblems(scope);
  let fixed: FixedPath[] | undefined;
  if (input.flags.fix) {
    refuseForeign(scope, session);
    fixed = await fixFiles(findings, session);
    noteFixes(fixed, findings, session);
    if (fixed.length > 0) findings = await findProblems(scope);
  }
  const document = toDocument(findings, fixed, session);
  return {
    lines: render(input.flags.format ?? 'human', scope, findings, document, session),
    json: document,
    exit: document.summary.errors > 0 ? 1 : 0,
  };
}

/** Rejects a folder that only a file of the workspace names: a clone must not choose which files are edited. */
function refuseForeign({ foreign }: LintScope, session: Session): void {
  if (foreign === undefined) return;
  const place = shortPath(foreign.value, session);
  const file = foreign.origin.name;
  throw new CatalogError(
    'config.untrusted',
    `${place} is outside the workspace, and only ${shortPath(file, session)} names it. Nothing was changed.`,
    {
      details: { file, wants: [`change files in ${foreign.value}`], changed: false },
      suggested_action: `To change files there, name the folder: \`catalog lint --fix ${place}\`.`,
    },
  );
}

interface LintDocument extends LintReport {
  fixed?: FixedPath[];
}

function toDocument(
  findings: Findings,
  fixed: readonly FixedPath[] | undefined,
  session: Session,
): LintDocument {
  const report = toLintReport(findings.diagnostics, forPrograms(findings, session));
  if (fixed === undefined) return report;
  const paths = fixed.map(({ path, fixes }) => ({ path: relativePath(path, session.cwd), fixes }));
  return { ...report, fixed: paths };
}

/** Returns findings for programs, with paths relative to the working folder. */
function forPrograms({ artifacts, roots }: Findings, { cwd }: Session): ReportOptions {
  return { artifacts, path: (diagnostic) => relativePath(pathOfFinding(diagnostic, roots), cwd) };
}

function render(
  format: 'human' | 'json' | 'sarif' | 'github',
  scope: LintScope,
  findings: Findings,
  document: LintDocument,
  session: Session,
): string | string[] {
  const { diagnostics, artifacts, roots } = findings;
  const options = forPrograms(findings, session);
  if (format === 'json') return `${JSON.stringify(document, undefined, 2)}\n`;
  if (format === 'sarif') return formatSarif(diagnostics, { ...options, version: VERSION });
  if (format === 'github') return formatGithub(diagnostics, options);
  if (artifacts === 0 && diagnostics.length === 0) return emptyLines(scope, session);
  return formatHuman(diagnostics, {
    artifacts,
    path: (diagnostic: Diagnostic) => shortPath(pathOfFinding(diagnostic, roots), session),
    color: session.color,
  });
}

function emptyLines({ folder, within }: LintScope, session: Session): string[] {
  const place = shortPath(within ?? folder.path, session);
  return [
    `${place} has no artifacts yet. To create one, run \`catalog artifact new skill greetings/hello\`.`,
  ];
}

function noteFixes(fixed: readonly FixedPath[], before: Findings, session: Session): void {
  for (const { path, fixes } of fixed) {
    for (const fix of fixes) {
      session.note([styled('green', 'fixed'), ` ${shortPath(path, session)}: ${fix}`]);
    }
  }
  if (fixed.length > 0) return;
  session.note(
    before.diagnostics.length === 0
      ? 'nothing to fix'
      : 'nothing fixed: the remaining problems need manual changes',
  );
}
