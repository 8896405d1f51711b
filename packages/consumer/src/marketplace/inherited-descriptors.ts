import { readdirSync, readFileSync } from 'node:fs';

const DESCRIPTORS = '/proc/self/fdinfo';
const CLOSE_ON_EXEC = 0o2000000;

let inherited: readonly number[] | undefined;

/**
 * Returns the open file descriptors that the parent process left, which child processes would inherit. Those of Node
 * close automatically.
 */
export function inheritedDescriptors(): readonly number[] {
  inherited ??= findInherited();
  return inherited;
}

function findInherited(): number[] {
  try {
    return readdirSync(DESCRIPTORS)
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isPassedOn(descriptor));
  } catch {
    return [];
  }
}

function isPassedOn(descriptor: number): boolean {
  try {
    const info = readFileSync(`${DESCRIPTORS}/${descriptor}`, 'utf8');
    const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1] ?? '';
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
