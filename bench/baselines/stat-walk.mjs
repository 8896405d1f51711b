// Minimal Node program that calls lstat on every file of some trees and reads no file.
import { lstatSync, readdirSync } from 'node:fs';

const folders = process.argv.slice(2);
for (let folder = folders.pop(); folder; folder = folders.pop()) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) folders.push(path);
    else lstatSync(path);
  }
}
