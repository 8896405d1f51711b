import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** For a server that refuses to run as root. */
export interface UnprivilegedUser {
  name: string;
  uid: number;
  gid: number;
}

/** Every Unix has the second. */
const CANDIDATES = ['postgres', 'nobody'];

/** Returns undefined if this process does not run as root. */
export function unprivilegedUser(): UnprivilegedUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n').map(readPasswdLine);
  for (const name of CANDIDATES) {
    const user = users.find((candidate) => candidate.name === name);
    if (user) return user;
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no user ${CANDIDATES.join(' or ')}`,
  );
}

function readPasswdLine(line: string): UnprivilegedUser {
  const [name = '', , uid, gid] = line.split(':');
  return { name, uid: Number(uid), gid: Number(gid) };
}

/** Returns the outermost folder on the path that other users cannot enter; undefined if there is none. */
export function closedFolder(path: string): string | undefined {
  const parent = dirname(path);
  const above = parent === path ? undefined : closedFolder(parent);
  if (above !== undefined) return above;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  return mode === undefined || (mode & 0o001) !== 0 ? undefined : path;
}
