import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { adapters } from '@catalog/harness/registry';
import { plantedErrors } from '../../../tests/fixtures/harness-programs/planted-errors.ts';
import { provideDemoServer } from '../demo-server.ts';
import type { HarnessProgram, InstalledProgram } from '../program.ts';
import { startRecorder } from '../recorder.ts';
import { SEALED_PATH } from '../run-sealed.ts';
import { newFolder, sync, writeText } from '../workspace.ts';
import { authoredFacts, contentFixture, type Facts } from './content-fixture.ts';
import type { PromptTokens } from './count-tokens.ts';
import { observeContent, type Observation } from './observe-content.ts';
import { contentPrograms } from './programs/index.ts';

export interface ContentFinding {
  check: string;
  authored: string;
  /** Observed use of the content; absent if the program could not be observed. */
  observed?: string;
  refused?: string;
  warnings: readonly string[];
}

export interface PlantedFinding {
  error: string;
  /** Number of changed files; 0 if the product has no such file. */
  changed: number;
  noticed_by: readonly string[];
  by_each: boolean;
}

export interface ContentReport {
  program: string;
  version: string;
  alone: readonly ContentFinding[];
  together: readonly ContentFinding[];
  planted: readonly PlantedFinding[];
  /** Absent if errors were planted. */
  tokens?: PromptTokens;
}

interface SyncReport {
  targets: {
    harness: string;
    skipped: { artifact_id: string; harness: string; reason: string }[];
    fallbacks: { artifact_id: string; reason: string }[];
    warnings: unknown[];
  }[];
}

interface Rendered {
  workspace: string;
  report: SyncReport;
}

export async function checkContent(
  program: HarnessProgram,
  installed: InstalledProgram,
  errors: readonly string[],
): Promise<ContentReport> {
  const { title, version, profile } = program;
  const alone = await render([profile]);
  const { facts } = await observeIn(program, installed, copyOf(alone.workspace));
  const planted: PlantedFinding[] = [];
  for (const error of plantedErrors.filter(({ id }) => errors.includes(id))) {
    const workspace = copyOf(alone.workspace);
    const changed = error.plant(workspace);
    const after =
      changed === 0 ? { facts } : await observeIn(program, installed, workspace, error.observes);
    const noticed_by = listNoticedChecks(facts, after.facts);
    process.stderr.write(`${title}: ${error.id}: ${noticed_by.join(', ') || 'not noticed'}\n`);
    planted.push({ error: error.id, changed, noticed_by, by_each: error.by_each === true });
    rmSync(workspace, { recursive: true });
  }
  const together = errors.length > 0 ? undefined : await observeTogether(program, installed);
  return {
    program: title,
    version,
    alone: findings(facts, alone.report, profile),
    together: together?.findings ?? [],
    planted,
    ...(together?.tokens && { tokens: together.tokens }),
  };
}

/** The neutral profiles are layouts of this project and are left out. */
const TOGETHER = [...adapters.keys()].filter((id) => !id.startsWith('harness-'));

async function observeTogether(
  program: HarnessProgram,
  installed: InstalledProgram,
): Promise<{ findings: ContentFinding[]; tokens: PromptTokens | undefined }> {
  const { workspace, report } = await render(TOGETHER);
  const { facts, tokens } = await observeIn(program, installed, workspace);
  return { findings: findings(facts, report, program.profile), tokens };
}

async function render(profiles: readonly string[]): Promise<Rendered> {
  const workspace = newFolder('workspace');
  const text = await sync(workspace, newFolder('home'), contentFixture, profiles.join(','));
  writeText(join(workspace, contentFixture.file), contentFixture.file_text);
  return { workspace, report: JSON.parse(text) };
}

function copyOf(workspace: string): string {
  const copy = newFolder('workspace');
  cpSync(workspace, copy, { recursive: true });
  return copy;
}

async function observeIn(
  { name, profile }: HarnessProgram,
  installed: InstalledProgram,
  workspace: string,
  part?: 'session' | 'commands',
): Promise<Observation> {
  const driver = contentPrograms.find((candidate) => candidate.name === name);
  if (driver === undefined) throw new RangeError(`the content of ${name} cannot be checked`);
  const recorder = await startRecorder();
  const session = {
    program: installed,
    workspace,
    home: newFolder('home'),
    recorder,
    server: provideDemoServer(SEALED_PATH),
  };
  try {
    return await observeContent(driver, profile, session, part);
  } finally {
    await recorder.close();
  }
}

function listNoticedChecks(whole: Facts, planted: Facts): string[] {
  return Object.entries(authoredFacts)
    .filter(([check]) => Object.hasOwn(planted, check))
    .filter(([check, authored]) => whole[check] === authored && planted[check] !== authored)
    .map(([check]) => check);
}

function findings(facts: Facts, { targets }: SyncReport, profile: string): ContentFinding[] {
  const ofProfile = targets.filter(({ harness }) => harness === profile);
  return Object.entries(authoredFacts).map(([check, authored]) => {
    const id = `demo/${check.split(':')[0]}`;
    const refused = ofProfile
      .flatMap(({ skipped }) => skipped)
      .find(({ artifact_id }) => artifact_id === id)?.reason;
    const warnings = ofProfile
      .flatMap(({ fallbacks }) => fallbacks)
      .filter(({ artifact_id }) => artifact_id === id)
      .map(({ reason }) => reason);
    const observed = facts[check];
    return {
      check,
      authored,
      warnings,
      ...(observed !== undefined && { observed }),
      ...(refused !== undefined && { refused }),
    };
  });
}
