import { store } from './0001-store.ts';
import { versions } from './0002-versions.ts';
import { search } from './0003-search.ts';
import { domains } from './0004-domains.ts';
import { jobs } from './0005-jobs.ts';
import { vectors } from './0006-vectors.ts';
import { restores } from './0007-restores.ts';
import { access } from './0008-access.ts';
import { directory } from './0009-directory.ts';
import { usage } from './0010-usage.ts';
import { embeddings } from './0011-embeddings.ts';
import { words } from './0012-words.ts';
import { fused } from './0013-fused.ts';
import { claims } from './0014-claims.ts';
import { sessions } from './0015-sessions.ts';
import { boundaries } from './0016-boundaries.ts';
import type { Migration } from './migration.ts';

/** Every step of the schema in its order. New steps are added at the end. */
export const migrations: readonly Migration[] = [
  store,
  versions,
  search,
  domains,
  jobs,
  vectors,
  restores,
  access,
  directory,
  usage,
  embeddings,
  words,
  fused,
  claims,
  sessions,
  boundaries,
];
