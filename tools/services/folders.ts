import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { closedFolder, unprivilegedUser } from './unprivileged-user.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** What runs, what it listens on, and the environment of the tests. */
export const SERVICES = join(ROOT, '.services');

/** Where programs and data live: in the checkout, or beside it when the servers' user cannot get in. */
const HOME = openHome();

/** Installed programs, by name and version; a copy of the tree is told where the original has them. */
export const PROGRAMS = process.env['CATALOG_TEST_PROGRAMS'] ?? join(HOME, '.cache/programs');

/** Data of the shared servers. */
export const DATA = join(HOME, '.services');

/** A checkout below `/root` is closed to the user PostgreSQL runs as. */
function openHome(): string {
  if (unprivilegedUser() === undefined || closedFolder(ROOT) === undefined) return ROOT;
  const key = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);
  return `/var/tmp/catalog-services-${key}`;
}
