import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { closedFolder, unprivilegedUser } from './unprivileged-user.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Contains records of running servers and the environment of the tests. */
export const SERVICES = join(ROOT, '.services');

/** The checkout, or a folder outside it if the servers' user cannot enter the checkout. */
const HOME = openHome();

/** A copy of the tree receives the path of the original. */
export const PROGRAMS = process.env['CATALOG_TEST_PROGRAMS'] ?? join(HOME, '.cache/programs');

export const DATA = join(HOME, '.services');

/** The PostgreSQL user cannot enter some checkouts, such as below `/root`. */
function openHome(): string {
  if (unprivilegedUser() === undefined || closedFolder(ROOT) === undefined) return ROOT;
  const key = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);
  return `/var/tmp/catalog-services-${key}`;
}
