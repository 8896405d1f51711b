import { frozenStep } from '../../shared/frozen-step.ts';
import type { Migration } from './migration.ts';

/**
 * Every step of the schema in its order; its statements are in the file of its number and name in `steps/`.
 * New steps are added at the end.
 */
export const migrations: readonly Migration[] = [
  // Tenants, layers and what is kept beside them. The tenant leads every key and no key crosses
  // tenants, so that tables can be partitioned or distributed by it. Texts that are compared or
  // listed are in byte order (`COLLATE "C"`).
  {
    number: 1,
    name: 'store',
    oldest_program: 1,
    checksum: 'sha256:15df8b3092f7841f65aa2f7f345807e20b79de2c0c5ab33180136d5333110356',
  },
  // Versions, heads and what is counted of them. Keys hold texts of a bounded length only, since an
  // index takes no row past 2,700 bytes: where a text may be of any length, its hash is the key.
  // What a listing reads of a head stands apart from what is shown of a few.
  {
    number: 2,
    name: 'versions',
    oldest_program: 1,
    checksum: 'sha256:7aab0b45e80a225383e7b20b9fb3712b20051a5da63007b6dcbe92f55cc55297',
  },
  // The index of artifacts (ADR-0026). Terms are numbers that no other tenant has, so
  // that a search walks the postings of its tenant only, in an index that all tenants share.
  {
    number: 3,
    name: 'search',
    oldest_program: 1,
    checksum: 'sha256:49ce080e1109562796eb32985ff7f9faf2aa28ab7c97252a77a56d96e4c619e7',
  },
  // The map of domains. Most tables are read for the layers of one view, so that what other layers
  // hold costs nothing. Paths compare by their bytes; the root's path is empty.
  {
    number: 4,
    name: 'domains',
    oldest_program: 1,
    checksum: 'sha256:d1d52613ef5bc1369c480925310fad6465e2c0343ac8981b86607b0e5a8d921b',
  },
  // The ingests that wait, run and have ended, and who may run which.
  {
    number: 5,
    name: 'jobs',
    oldest_program: 1,
    checksum: 'sha256:b84a01bb0d8cd6be92cf28f241fd1b857a9888a36a97b0da72b2642d7487b05c',
  },
  // Vectors of documents, a table for each model (ADR-0026).
  {
    number: 6,
    name: 'vectors',
    oldest_program: 1,
    checksum: 'sha256:00bd31011f1c1119cd6169a418b0e564e4a9a3ebe3bb4d843ecf3c6c20d8e89d',
  },
  // How far a copy into this database is; a row while one is under way. Nobody is served from half
  // a copy. It is about all tenants, so it has no policy.
  {
    number: 7,
    name: 'restores',
    oldest_program: 1,
    checksum: 'sha256:2f08ac114179a4db4902070e7ef251d4faa0f27fc9630a10ff3fb8a2dbe7b824',
  },
  // What is known of each tenant, who its admins are, and what is left of its rates.
  {
    number: 8,
    name: 'access',
    oldest_program: 1,
    checksum: 'sha256:460d6f86d5bea8f20ea52d5fbdb88a72469d6bb1fd7cdec7197d1258f1301e79',
  },
  // Users and groups that a directory pushes, and who is in which group.
  {
    number: 9,
    name: 'directory',
    oldest_program: 1,
    checksum: 'sha256:127775b3386e5f1cf778d37b8ac212b46076d473a6c7764d8ba698a1d498c7e9',
  },
  // What each tenant uses. Triggers keep it, so that it is right whoever writes: a program of the
  // release before, a restore. Whoever changes a tenant has locked it, so nobody waits for this
  // row.
  {
    number: 10,
    name: 'usage',
    oldest_program: 1,
    checksum: 'sha256:6f97739c69324683572574c80288585a2883f7be5cfba6adf528dfcfa23a3c09',
  },
  // What waits for its vector, vectors of domains, and how models come and go (ADR-0052).
  {
    number: 11,
    name: 'embeddings',
    oldest_program: 1,
    checksum: 'sha256:6807e0dd0eb72327874240219a46d65de0638b1de57386232da51ac25178cb25',
  },
  // The words of each tenant by their trigrams, for queries that nobody has a word of. Triggers
  // keep them, so that words of programs of the former release are there too. Who holds them in a
  // view is looked up in the frequencies.
  {
    number: 12,
    name: 'words',
    oldest_program: 1,
    checksum: 'sha256:0e0578788e18c321602139a38c0dc102bb993d86760b0971dd476cdaeaba63e6',
  },
  // Searches by words and meaning in which each arm says at once what the other says of what it
  // found (ADR-0056). Of the scores of a few more than asked for the words are then
  // summed in whole numbers, since inner products are rounded.
  {
    number: 13,
    name: 'fused',
    oldest_program: 1,
    checksum: 'sha256:fc066d756198c178eaf69cad158daf528b99e854420507a8ee2df5d2b33b0efb',
  },
  // Claims that begin where the last one ended. What was claimed leaves an entry behind in the
  // index until the next vacuum, and a claim that began at the first passed over all of them.
  {
    number: 14,
    name: 'claims',
    oldest_program: 1,
    checksum: 'sha256:0bb98cb3685823081e82809601b7802197b22b68bece67c05278bd600c50ce67',
  },
  // Sessions by subject, since two callers may choose the same session id, and choices without a
  // subject numbered, so that the oldest can be dropped. A new table: programs of the release
  // before go on with `sessions`, whose rows expire within hours.
  {
    number: 15,
    name: 'sessions',
    oldest_program: 1,
    checksum: 'sha256:0857788efbb106f864a108c7360084216d0d04e2aed8dabce1e922b444266174',
  },
  // The holder of a purged layer, the copies of git repositories as storage, which parents a tenant
  // accepts, and claims that leave lanes to other owners and tenants. Programs of the release
  // before keep using `claim_job`.
  {
    number: 16,
    name: 'boundaries',
    oldest_program: 1,
    checksum: 'sha256:f75696de990141b7239b8113a0b2f0f746f5b54529ee7da9a9289ecbbc097921',
  },
  // The commit each version was read from, and heads by the time of their ingest. Programs of the
  // release before store versions without a commit.
  {
    number: 17,
    name: 'changes',
    oldest_program: 1,
    checksum: 'sha256:38a6ef22e521b1cbde26fb5ab9537107bf82af0e0c03f8577233b6df2f43f328',
  },
  // Functions for what the registry deletes and renames in append-only tables. The privileges that they
  // replace are revoked by `catalog admin migrate --contract`: programs of the release before use them.
  {
    number: 18,
    name: 'purges',
    oldest_program: 1,
    checksum: 'sha256:584259525744abe14f3d0a186e290607cdc4f81afe745b5c74b6a4eddfc43c56',
  },
  // The standing of versions after rollbacks, apart from the versions, which never change.
  {
    number: 19,
    name: 'standings',
    oldest_program: 1,
    checksum: 'sha256:fa67836469bf85e221c4048ec722a1974b3dab72d81f5dd55774e2ab2ca76104',
  },
  // Claims by priority, fair between tenants. Programs of the release before keep using
  // `claim_job_in_lanes`.
  {
    number: 20,
    name: 'priorities',
    oldest_program: 1,
    checksum: 'sha256:28cac9873531f711b866635e0e6d840c6e857bd3e35fb8b21addb05fe3b44ec4',
  },
  // The identity of the database, which its object store also holds (ADR-0068).
  {
    number: 21,
    name: 'identity',
    oldest_program: 1,
    checksum: 'sha256:76f92851abf289433401c85198eee7e1ca961f8d71cf2ea160770974f2aeae3a',
  },
  // Receivers of webhooks, and what is sent to them. Only dispatches that wait, that failed, and those of
  // the last days have rows: events are in the outbox, and each receiver has a cursor over it.
  {
    number: 22,
    name: 'webhooks',
    oldest_program: 1,
    checksum: 'sha256:374261cb12ad69d6b8d2f63b85daa1ec673423e13e9fa26b826e382e68ddfb75',
  },
  // Claims that read few jobs however many are queued. Programs of the release before keep using
  // `claim_job`.
  {
    number: 23,
    name: 'queue',
    oldest_program: 1,
    checksum: 'sha256:ff713844c6e6649ad1d57fe6bbba08b42307b3d9e8f4d8808ef36ae03f66a718',
  },
  // Public keys of the issuer, for processes that start while it is unavailable.
  {
    number: 24,
    name: 'issuers',
    oldest_program: 1,
    checksum: 'sha256:1ca8b186105d7cd4edf43a5f6d279f7d88aa3c38fdfad7ea2e44e8a36666f774',
  },
  // Receivers that get one delivery at a time, in the order of the events.
  {
    number: 25,
    name: 'ordered',
    oldest_program: 1,
    checksum: 'sha256:e2d50cf78f34490b86f4f3197a448e3d2777460a3d595b42be9eb9d1a9d6ee5d',
  },
  // The class of each job's layer, and claims that leave a lane to shared layers. Programs of the
  // release before use `claim_job`.
  {
    number: 26,
    name: 'classes',
    oldest_program: 1,
    checksum: 'sha256:d5c8b7666deecbaf462cac6f0e9b57b3a4ffe8fa908abb4f789f66580b654974',
  },
  // The types of rejected artifacts.
  {
    number: 27,
    name: 'rejected-types',
    oldest_program: 1,
    checksum: 'sha256:b56013e8c794f50f7e1fa170923fdd4c84373bed949aa365cdffbe16d86e7f8d',
  },
  // The search for ingests to retry, in one statement.
  {
    number: 28,
    name: 'failed-jobs',
    oldest_program: 1,
    checksum: 'sha256:465e6eb53b3ff25d5265a17b6a1069da79f21e53582f0c74195ce77fddc6f7b5',
  },
].map((step) => frozenStep('postgres', step));
