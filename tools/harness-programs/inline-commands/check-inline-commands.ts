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

/** What a program did with every spelling, by title. */
export interface InlineReport {
  program: string;
  version: string;
  spellings: number;
  /** Prompts that reached the model. The program rejected the others. */
  expanded: number;
  executed: readonly string[];
  /** Executed, although the capability list does not have the command. */
  missed: readonly string[];
}

/** Has a program expand every spelling, with and without arguments, and reports which commands ran. */
export async function checkInlineCommands(
  { name, version }: HarnessProgram,
  installed: InstalledProgram,
): Promise<InlineReport> {
  const program = inlinePrograms.find((candidate) => candidate.name === name);
  if (program === undefined) throw new RangeError(`${name} cannot be asked about inline commands`);
  const chosen = spellingsFor(program);
  const workspace = newFolder('workspace');
  // The edge of a repository: some programs look for their folders up to here.
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

/** Returns the spellings that a program can be given. */
export function spellingsFor({ deliveries, commands, takes }: InlineProgram): Spelling[] {
  return spellings()
    .filter(({ delivery }) => deliveries.includes(delivery))
    .filter(({ toml }) => toml === undefined || commands.extension === 'toml')
    .filter((spelling) => takes?.(spelling) ?? true);
}

/** Without arguments, with two, and with an empty one. Without placeholders, all are the same. */
function invocationsOf({ id, text }: Spelling): Invocation[] {
  const words = /[$]|\{\{/.test(text) ? ['', 'one two', '""'] : [''];
  return words.map((typed) => ({ name: id, words: typed }));
}

function executedIds(workspace: string): Set<string> {
  const file = join(workspace, EXECUTED_FILE);
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split(/\s+/) : []);
}
