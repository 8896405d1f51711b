import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function readUnanswered(name: 'nonsense' | 'off-topic'): string[] {
  const file = join(import.meta.dirname, 'unanswered', `${name}.txt`);
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}
