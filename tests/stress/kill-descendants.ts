import { readdirSync, readFileSync } from 'node:fs';

/** Kills all direct and indirect child processes of a process. Works only on Linux. */
export function killDescendants(pid: number): void {
  for (const child of listChildren(pid)) {
    killDescendants(child);
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
  }
}

function listChildren(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter((word) => word !== '')
        .map(Number),
    );
  } catch {
    return [];
  }
}
