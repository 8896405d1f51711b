import { accessSync, constants, statSync } from 'node:fs';

export function findProgram(name: string, path: string | undefined): string | undefined {
  if (name === '' || name.includes('/')) return undefined;
  return (path ?? '')
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => `${folder}/${name}`)
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
