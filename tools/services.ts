import { installProgram, isProgramName } from './services/programs.ts';
import { readWords, SERVICES_USAGE, type ServicesCommand } from './services/read-words.ts';
import { runningState } from './services/server-state.ts';
import { SERVICES } from './services/folders.ts';
import {
  sharedEnvironment,
  sharedServers,
  startShared,
  stopShared,
} from './services/shared-servers.ts';
import { isServerName, type ServerName } from './services/shared-server.ts';

/** `./dev services up|down|status|env|install [name...]` manages the real servers for tests. */
async function main(words: readonly string[]): Promise<number> {
  const command = readWords(words);
  if (command.kind === 'refused') {
    process.stderr.write(`${command.reason}\n${SERVICES_USAGE}\n`);
    return 2;
  }
  await run(command);
  return 0;
}

async function run(command: Exclude<ServicesCommand, { kind: 'refused' }>): Promise<void> {
  switch (command.kind) {
    case 'up':
      await startShared(command.names, command);
      printEnvironment(command.names);
      break;
    case 'down':
      await stopShared(command.names);
      printStatus(command.names);
      break;
    case 'status':
      printStatus(command.names);
      break;
    case 'env':
      printEnvironment(command.names);
      break;
    case 'install':
      for (const name of command.names) {
        if (isProgramName(name)) process.stdout.write(`${name}\t${await installProgram(name)}\n`);
        else if (isServerName(name)) await sharedServers[name].install();
      }
      break;
  }
}

/** For `eval "$(./dev services env)"`; no value contains a quote. */
function printEnvironment(names: readonly ServerName[]): void {
  const environment = Object.entries(sharedEnvironment(names));
  process.stdout.write(environment.map(([name, value]) => `export ${name}='${value}'\n`).join(''));
}

function printStatus(names: readonly ServerName[]): void {
  const lines = names.map((name) => {
    const state = runningState(SERVICES, name);
    return `${name}\t${state ? `up\t${state.process.pid}\t${state.port}` : 'down\t-\t-'}\n`;
  });
  process.stdout.write(`name\tstate\tpid\tport\n${lines.join('')}`);
}

process.exitCode = await main(process.argv.slice(2));
