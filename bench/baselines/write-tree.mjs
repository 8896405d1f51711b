// Minimal Node program that writes a tree from one pack, with a rename for each file.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const [list, pack, target] = process.argv.slice(2);
const files = JSON.parse(readFileSync(list, 'utf8'));
const bytes = readFileSync(pack);
const made = new Set();
for (const [index, { path, start, end, mode }] of files.entries()) {
  const folder = dirname(`${target}/${path}`);
  if (!made.has(folder)) mkdirSync(folder, { recursive: true });
  made.add(folder);
  const temporary = `${target}/.tmp-${index}`;
  writeFileSync(temporary, bytes.subarray(start, end), { mode, flag: 'wx' });
  renameSync(temporary, `${target}/${path}`);
}
