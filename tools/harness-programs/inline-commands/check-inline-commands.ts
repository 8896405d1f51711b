import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideDemoServer } from '../demo-server.ts';
import type { HarnessProgram, InstalledProgram } from '../program.ts';
import { startRecorder } from '../recorder.ts';
import { SEALED_PATH } from '../run-sealed.ts';
import { newFolder, writeText } from '../workspace.ts';
import { inlinePrograms, type InlineProgram, type Invocation } from './inline-programs.ts';
import { filesOf, isListed } from './spelled-artifact.ts';
import { EXECUTED_FILE, lastLineOf, spellings, type Spelling } from './spellings.ts';

export interface InlineReport {
  program: string;
  version: string;
  spellings: number;
  expanded: number;
  executed: readonly string[];
  missed: readonly string[];
}

export async function checkInlineCommands(
  { name, version }: HarnessProgram,
  installed: InstalledProgram,
): Promise<InlineReport> {
  const program = inlinePrograms.find((candidate) => candidate.name === name);
  if (program === undefined) throw new RangeError(`${name} cannot be asked about inline commands`);
  const chosen = spellingsFor(program);
  const workspace = newFolder('workspace');
  // Marks the root of the repository: some programs search parent folders up to it.
  mkdirSync(join(workspace, '.git'));
  for (const spelling of chosen) {
    for (const { path, text } of filesOf(spelling, program.commands)) {
      writeText(join(workspace, path), text);
    }
  }
  const recorder = await startRecorder();
  try {
    const server = provideDemoServer(SEALED_PATH);
    const home = newFolder('home');
    const session = { program: installed, workspace, home, recorder, server };
    await program.invoke(session, chosen.flatMap(invocationsOf));
    const sent = JSON.stringify(recorder.requests);
    const ids = executedIds(workspace);
    const executed = chosen.filter(({ id }) => ids.has(id));
    return {
      program: name,
      version,
      spellings: chosen.length,
      expanded: chosen.filter(({ id }) => sent.includes(lastLineOf(id))).length,
      executed: executed.map(({ title }) => title),
      missed: executed
        .filter((spelling) => !isListed(spelling, program.commands))
        .map(({ title }) => title),
    };
  } finally {
    await recorder.close();
  }
}

export function spellingsFor({ deliveries, commands, takes }: InlineProgram): Spelling[] {
  return spellings()
    .filter(({ delivery }) => deliveries.includes(delivery))
    .filter(({ toml }) => toml === undefined || commands.extension === 'toml')
    .filter((spelling) => takes?.(spelling) ?? true);
}

/** Without placeholders, one invocation is enough. */
function invocationsOf({ id, text }: Spelling): Invocation[] {
  const words = /[$]|\{\{/.test(text) ? ['', 'one two', '""'] : [''];
  return words.map((typed) => ({ name: id, words: typed }));
}

function executedIds(workspace: string): Set<string> {
  const file = join(workspace, EXECUTED_FILE);
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split(/\s+/) : []);
}
