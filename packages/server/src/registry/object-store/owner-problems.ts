import type { OwnerProblem } from './decide-owner.ts';

const ADOPT = 'run `catalog admin adopt-bucket`';

export const OWNER_PROBLEMS: Readonly<
  Record<OwnerProblem, { message: string; suggested_action: string }>
> = {
  foreign: {
    message:
      'The object store belongs to another database, so this registry could delete files that the other one needs.',
    suggested_action: `Check store.* and object_store.*: use a bucket or prefix of your own. If this database replaces the other one, as after a restore, ${ADOPT}.`,
  },
  moved: {
    message:
      'The database is a copy, or was restored or promoted while no registry was running, so another database may use the same object store.',
    suggested_action: `If the original database is no longer in use, ${ADOPT}. Otherwise use another bucket or prefix.`,
  },
  unclaimed: {
    message:
      'The object store is not the one that this database used before: it has no owner, so the files of existing versions may be missing.',
    suggested_action: `Check object_store.*. If you moved the files to a new bucket or prefix, ${ADOPT}.`,
  },
};
