import { isProgramName, programNames } from './programs.ts';
import { isServerName, serverNames, type ServerName } from './shared-server.ts';
import type { GivenPorts } from './shared-servers.ts';

export type ServicesCommand =
  | { kind: 'up'; names: ServerName[]; ports: GivenPorts; in_memory: boolean }
  | { kind: 'down' | 'status' | 'env'; names: ServerName[] }
  | { kind: 'install'; names: string[] }
  | { kind: 'refused'; reason: string };

export const SERVICES_USAGE = `usage: ./dev services up [--memory] [name[=port]...]
       ./dev services down|status|env [name...]
       ./dev services install [name...]
servers: ${serverNames.join(', ')}; without a name, all of them
programs to install: ${programNames.join(', ')}`;

/** Rejects unknown names before any server starts. */
export function readWords([action, ...words]: readonly string[]): ServicesCommand {
  switch (action) {
    case 'up':
      return readUp(words);
    case 'down':
    case 'status':
    case 'env': {
      const names = words.filter(isServerName);
      if (names.length < words.length) return unknown(words, isServerName);
      return { kind: action, names: names.length > 0 ? names : [...serverNames] };
    }
    case 'install': {
      const names = words.filter(isInstallable);
      if (names.length < words.length) return unknown(words, isInstallable);
      return { kind: action, names: names.length > 0 ? names : [...serverNames] };
    }
    case undefined:
      return { kind: 'refused', reason: 'say what to do' };
    default:
      return { kind: 'refused', reason: `no action "${action}"` };
  }
}

function readUp(words: readonly string[]): ServicesCommand {
  const names: ServerName[] = [];
  const ports: Partial<Record<ServerName, number>> = {};
  let in_memory = false;
  for (const word of words) {
    if (word === '--memory') {
      in_memory = true;
      continue;
    }
    const [name = '', port] = word.split('=');
    if (!isServerName(name)) return unknown([name], isServerName);
    names.push(name);
    if (port === undefined) continue;
    if (!isPort(port)) return { kind: 'refused', reason: `"${port}" is not a port` };
    ports[name] = Number(port);
  }
  return { kind: 'up', names: names.length > 0 ? names : [...serverNames], ports, in_memory };
}

function isPort(word: string): boolean {
  return /^\d{1,5}$/.test(word) && Number(word) >= 1 && Number(word) <= 65_535;
}

function isInstallable(name: string): boolean {
  return isServerName(name) || isProgramName(name);
}

function unknown(words: readonly string[], known: (word: string) => boolean): ServicesCommand {
  const names = words.filter((word) => !known(word)).join(', ');
  return { kind: 'refused', reason: `no service "${names}"` };
}
