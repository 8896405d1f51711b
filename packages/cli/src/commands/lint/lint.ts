import { VERSION } from '@catalog/contract/version';
import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import { formatGithub } from '@catalog/core/lint/format-github';
import { formatHuman } from '@catalog/core/lint/format-human';
import { formatJson } from '@catalog/core/lint/format-json';
import { formatSarif } from '@catalog/core/lint/format-sarif';
import { summarize } from '@catalog/core/lint/summary';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { shortPath } from '../../output/places.ts';
import { styled } from '../../output/text.ts';
import { layerRoot, loadRegistryFolder, type RegistryFolder } from '../registry-folder.ts';
import type { lintDefinition } from './definition.ts';
import { findProblems, type Findings } from './find-problems.ts';
import { fixFiles, type FixedPath } from './fix-files.ts';

type Input = CommandInput<typeof lintDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const folder = chooseFolder(input, session);
  let findings = await findProblems(folder, session.signal);
  const fixed = input.flags.fix ? fixFiles(folder, findings.diagnostics) : [];
  if (fixed.length > 0) {
    noteFixes(fixed, session);
    findings = await findProblems(folder, session.signal);
  }
  const summary = summarize(findings.diagnostics, findings.artifacts);
  return {
    lines: render(input.flags.format ?? 'human', folder, findings, session),
    json: { diagnostics: findings.diagnostics, summary, ...(input.flags.fix ? { fixed } : {}) },
    exit: summary.errors > 0 ? 1 : 0,
  };
}

function chooseFolder({ arguments: { path }, flags }: Input, session: Session): RegistryFolder {
  if (path !== undefined && flags.registry !== undefined) {
    throw usageError(
      `The folder is given twice: ${path} and --registry ${flags.registry}.`,
      'Name it once.',
      { command: 'lint', argument: '--registry' },
    );
  }
  return loadRegistryFolder(session, path ?? flags.registry);
}

function render(
  format: 'human' | 'json' | 'sarif' | 'github',
  folder: RegistryFolder,
  { diagnostics, artifacts }: Findings,
  session: Session,
): string | string[] {
  const path = ({ layer, file }: Diagnostic): string =>
    shortPath(`${layerRoot(folder, layer)}/${file}`, session);
  if (format === 'json') return formatJson(diagnostics, { artifacts });
  if (format === 'sarif') return formatSarif(diagnostics, { artifacts, path, version: VERSION });
  if (format === 'github') return formatGithub(diagnostics, { artifacts, path });
  if (artifacts === 0) return emptyLines(folder, session);
  return formatHuman(diagnostics, { artifacts, path, color: session.color });
}

function emptyLines({ path }: RegistryFolder, session: Session): string[] {
  return [
    `${shortPath(path, session)} has no artifacts yet. Start one: \`catalog artifact new skill greetings/hello\``,
  ];
}

function noteFixes(fixed: readonly FixedPath[], session: Session): void {
  for (const { path, fixes } of fixed) {
    for (const fix of fixes) {
      session.note([styled('green', 'fixed'), ` ${shortPath(path, session)}: ${fix}`]);
    }
  }
}
