import { store } from './0001-store.ts';
import { search } from './0002-search.ts';
import { domains } from './0003-domains.ts';
import { restores } from './0004-restores.ts';
import { access } from './0005-access.ts';
import { directory } from './0006-directory.ts';
import { usage } from './0007-usage.ts';
import { embeddings } from './0008-embeddings.ts';
import { words } from './0009-words.ts';
import { sessions } from './0010-sessions.ts';
import { boundaries } from './0011-boundaries.ts';
import type { Migration } from './migration.ts';

/** Every step of the schema in its order. New steps are added at the end. */
export const migrations: readonly Migration[] = [
  store,
  search,
  domains,
  restores,
  access,
  directory,
  usage,
  embeddings,
  words,
  sessions,
  boundaries,
];
