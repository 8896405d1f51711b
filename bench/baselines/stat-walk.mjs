// What a bare Node program needs to look at every file of some trees and at nothing in them.
import { lstatSync, readdirSync } from 'node:fs';

const folders = process.argv.slice(2);
for (let folder = folders.pop(); folder; folder = folders.pop()) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) folders.push(path);
    else lstatSync(path);
  }
}
