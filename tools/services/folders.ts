import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { MEMORY } from './memory-folder.ts';
import { closedFolder, unprivilegedUser } from './unprivileged-user.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Contains records of running servers and the environment of the tests. */
export const SERVICES = join(ROOT, '.services');

const KEY = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);

/** The checkout, or a folder outside it if the servers' user cannot enter the checkout. */
const HOME = openHome();

/** A copy of the tree receives the path of the original. */
export const PROGRAMS = process.env['CATALOG_TEST_PROGRAMS'] ?? join(HOME, '.cache/programs');

export const DATA = join(HOME, '.services');

/** Data of servers whose data is in memory. */
export const MEMORY_DATA = join(MEMORY, `catalog-services-${KEY}`);

/** The PostgreSQL user cannot enter some checkouts, such as below `/root`. */
function openHome(): string {
  if (unprivilegedUser() === undefined || closedFolder(ROOT) === undefined) return ROOT;
  return `/var/tmp/catalog-services-${KEY}`;
}
