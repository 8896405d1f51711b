import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { CommandDefinition } from './command/definition.ts';
import type { RegistryError } from '@catalog/sdk/registry-error';
import type { Session } from './command/session.ts';
import { commands, definitions } from './command/table.ts';
import { renderShortHelp } from './commands/help/render-help.ts';
import { wantsColor } from './output/color.ts';
import { openPrinter, type Printer, type PrinterEnvironment } from './output/printer.ts';

export interface ProcessEnvironment extends PrinterEnvironment {
  argv: readonly string[];
  /** Returns the working folder. Throws if it was removed. */
  cwd: () => string;
  home: string;
  stdin: { isTTY?: boolean | undefined; read?: () => string };
  signal: AbortSignal;
  /** Calls a listener on SIGHUP, which otherwise ends the process. */
  onHangup?: (listener: () => void) => void;
  /** Called if a command will run. */
  beforeCommand?: (definition: CommandDefinition) => Promise<void>;
}

/** Runs the program and returns the exit code. Never throws. */
export async function runProgram(world: ProcessEnvironment): Promise<number> {
  const printer = openPrinter(world, hasJsonFlag(world.argv));
  if (isRootHelp(world.argv)) {
    printer.result({ lines: renderShortHelp(definitions), json: undefined });
    return 0;
  }
  try {
    return await runCommandLine(world, printer);
  } catch (error) {
    return reportFailure(error, world, printer);
  }
}

/**
 * Returns true for help without a command, the most common first command. It needs neither the parser nor any other
 * module.
 */
function isRootHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || (argv.length === 1 && /^(?:--help|-h|help)$/.test(argv[0] ?? ''));
}

async function runCommandLine(world: ProcessEnvironment, printer: Printer): Promise<number> {
  const { parseCommandLine, toInput } = await import('./command/parse.ts');
  const { missingWorkingFolder, unfinishedCommand } = await import('./command/usage-errors.ts');
  const line = parseCommandLine(world.argv, definitions);
  const name = nameToRun(line);
  const command = commands.find(({ definition }) => definition.name === name);
  if (command === undefined) throw unfinishedCommand(name, line.words, definitions);
  const cwd = getWorkingFolder(world);
  if (cwd === undefined) throw missingWorkingFolder();
  await world.beforeCommand?.(command.definition);
  const session = openSession(world, printer, cwd, line.json);
  // Help does not validate the rest of the command line.
  const input =
    line.kind === 'run'
      ? line
      : { ...line, words: line.kind === 'help' ? topicOf(line) : [], values: {} };
  const result = await command.run(
    (definition) => toInput(definition, input, definitions),
    session,
  );
  printer.result(result);
  if (result.error !== undefined) return reportResultError(result.error, world, printer);
  return result.exit ?? 0;
}

interface RequestedCommand {
  kind: 'run' | 'help' | 'version';
  definition: { name: string } | undefined;
  group: string | undefined;
}

function nameToRun(line: RequestedCommand): string {
  if (line.kind !== 'run') return line.kind;
  return line.definition?.name ?? line.group ?? 'help';
}

function topicOf(line: RequestedCommand): string[] {
  return (line.definition?.name ?? line.group)?.split(' ') ?? [];
}

function openSession(
  world: ProcessEnvironment,
  printer: Printer,
  cwd: string,
  json: boolean,
): Session {
  const terminal = world.stdin.isTTY === true && world.stdout.isTTY === true;
  return {
    cwd,
    home: world.home,
    env: world.env,
    json,
    color: wantsColor(world.env, world.stdout),
    interactive: terminal && !json && !isSet(world.env['CI']),
    readInput: () => (world.stdin.isTTY === true ? undefined : world.stdin.read?.()),
    signal: world.signal,
    // With a terminal, SIGHUP means that it was closed.
    onHangup: (world.stdin.isTTY === true ? undefined : world.onHangup) ?? (() => undefined),
    note: printer.note,
    progress: printer.progress,
    emit: printer.emit,
    openLogOutput: printer.openLogOutput,
    definitions,
  };
}

function getWorkingFolder({ cwd }: ProcessEnvironment): string | undefined {
  try {
    return cwd();
  } catch {
    return undefined;
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

async function reportFailure(
  error: unknown,
  world: ProcessEnvironment,
  printer: Printer,
): Promise<number> {
  if (world.signal.aborted) {
    // An interrupt needs no message.
    printer.clear();
    return 0;
  }
  const { describeError } = await import('./output/describe-error.ts');
  const described = describeError(error, surroundings(world));
  printer.failure(described.lines, { error: described.envelope });
  return described.exit;
}

/** Reports an error next to a result, unless the document contains it. */
async function reportResultError(
  error: CatalogError | RegistryError,
  world: ProcessEnvironment,
  printer: Printer,
): Promise<number> {
  const { describeError } = await import('./output/describe-error.ts');
  const described = describeError(error, surroundings(world));
  for (const line of described.lines) printer.note(line);
  return described.exit;
}

/** Returns the environment. A missing working folder becomes `/`, so that no path is shortened. */
function surroundings(world: ProcessEnvironment): {
  cwd: string;
  home: string;
  env: ProcessEnvironment['env'];
} {
  return { cwd: getWorkingFolder(world) ?? '/', home: world.home, env: world.env };
}

/** Returns true with `--json`, before the command line is parsed, because errors of parsing are JSON too. */
function hasJsonFlag(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}
