import { frozenStep } from '../../shared/frozen-step.ts';
import type { Migration } from './migration.ts';

/** Schema steps, in order. The statements of a step are in `steps/`, in a file with its number and name. */
export const migrations: readonly Migration[] = [
  // Every key starts with the tenant, so that tables can be partitioned by tenant. Strings that are compared or listed
  // are in byte order (`COLLATE "C"`).
  {
    number: 1,
    name: 'store',
    oldest_program: 1,
    checksum: 'sha256:15df8b3092f7841f65aa2f7f345807e20b79de2c0c5ab33180136d5333110356',
  },
  // Keys contain only strings of bounded length, because an index rejects entries above 2,700 bytes. For unbounded
  // strings, the key is their hash.
  {
    number: 2,
    name: 'versions',
    oldest_program: 1,
    checksum: 'sha256:7aab0b45e80a225383e7b20b9fb3712b20051a5da63007b6dcbe92f55cc55297',
  },
  // ADR-0026. Term numbers are unique across tenants, so that a search reads only the postings of its
  // tenant in a shared index.
  {
    number: 3,
    name: 'search',
    oldest_program: 1,
    checksum: 'sha256:49ce080e1109562796eb32985ff7f9faf2aa28ab7c97252a77a56d96e4c619e7',
  },
  // Most tables are read by the layers of one view, so that the content of other layers costs nothing. Paths are
  // compared by bytes; the root has an empty path.
  {
    number: 4,
    name: 'domains',
    oldest_program: 1,
    checksum: 'sha256:d1d52613ef5bc1369c480925310fad6465e2c0343ac8981b86607b0e5a8d921b',
  },
  {
    number: 5,
    name: 'jobs',
    oldest_program: 1,
    checksum: 'sha256:b84a01bb0d8cd6be92cf28f241fd1b857a9888a36a97b0da72b2642d7487b05c',
  },
  // One table for each model (ADR-0026).
  {
    number: 6,
    name: 'vectors',
    oldest_program: 1,
    checksum: 'sha256:00bd31011f1c1119cd6169a418b0e564e4a9a3ebe3bb4d843ecf3c6c20d8e89d',
  },
  // Contains one row while a copy is restored into this database, which the registry does not serve. The row concerns
  // all tenants, so the table has no policy.
  {
    number: 7,
    name: 'restores',
    oldest_program: 1,
    checksum: 'sha256:2f08ac114179a4db4902070e7ef251d4faa0f27fc9630a10ff3fb8a2dbe7b824',
  },
  {
    number: 8,
    name: 'access',
    oldest_program: 1,
    checksum: 'sha256:460d6f86d5bea8f20ea52d5fbdb88a72469d6bb1fd7cdec7197d1258f1301e79',
  },
  {
    number: 9,
    name: 'directory',
    oldest_program: 1,
    checksum: 'sha256:127775b3386e5f1cf778d37b8ac212b46076d473a6c7764d8ba698a1d498c7e9',
  },
  // Triggers maintain the usage for every writer, such as an earlier release or a restore. Writers hold the tenant's
  // lock, so they never wait for a usage row.
  {
    number: 10,
    name: 'usage',
    oldest_program: 1,
    checksum: 'sha256:6f97739c69324683572574c80288585a2883f7be5cfba6adf528dfcfa23a3c09',
  },
  // ADR-0052.
  {
    number: 11,
    name: 'embeddings',
    oldest_program: 1,
    checksum: 'sha256:6807e0dd0eb72327874240219a46d65de0638b1de57386232da51ac25178cb25',
  },
  // Triggers maintain the words, also for writes of an earlier release. The frequencies show which layers of a view
  // contain a word.
  {
    number: 12,
    name: 'words',
    oldest_program: 1,
    checksum: 'sha256:0e0578788e18c321602139a38c0dc102bb993d86760b0971dd476cdaeaba63e6',
  },
  // Word search and vector search each return both scores of their results (ADR-0056). Word scores are then summed as
  // integers, because inner products are rounded.
  {
    number: 13,
    name: 'fused',
    oldest_program: 1,
    checksum: 'sha256:fc066d756198c178eaf69cad158daf528b99e854420507a8ee2df5d2b33b0efb',
  },
  // Claims continue after the last claimed entry. Claimed entries remain in the index until the next vacuum, and a
  // claim from the beginning would need to skip them.
  {
    number: 14,
    name: 'claims',
    oldest_program: 1,
    checksum: 'sha256:0bb98cb3685823081e82809601b7802197b22b68bece67c05278bd600c50ce67',
  },
  // Two callers may choose the same session id. Choices without a subject are numbered, so that the oldest can be
  // removed. Earlier releases continue to use the table `sessions`.
  {
    number: 15,
    name: 'sessions',
    oldest_program: 1,
    checksum: 'sha256:0857788efbb106f864a108c7360084216d0d04e2aed8dabce1e922b444266174',
  },
  // Earlier releases continue to use `claim_job`.
  {
    number: 16,
    name: 'boundaries',
    oldest_program: 1,
    checksum: 'sha256:f75696de990141b7239b8113a0b2f0f746f5b54529ee7da9a9289ecbbc097921',
  },
  // The commit is optional, because earlier releases store versions without one.
  {
    number: 17,
    name: 'changes',
    oldest_program: 1,
    checksum: 'sha256:38a6ef22e521b1cbde26fb5ab9537107bf82af0e0c03f8577233b6df2f43f328',
  },
  // Functions that replace privileges. `catalog admin migrate --contract` revokes these privileges, which earlier
  // releases use.
  {
    number: 18,
    name: 'purges',
    oldest_program: 1,
    checksum: 'sha256:584259525744abe14f3d0a186e290607cdc4f81afe745b5c74b6a4eddfc43c56',
  },
  // A separate table, because versions are immutable.
  {
    number: 19,
    name: 'standings',
    oldest_program: 1,
    checksum: 'sha256:fa67836469bf85e221c4048ec722a1974b3dab72d81f5dd55774e2ab2ca76104',
  },
  // Jobs are claimed by priority, with fair scheduling between tenants. Earlier releases continue to use
  // `claim_job_in_lanes`.
  {
    number: 20,
    name: 'priorities',
    oldest_program: 1,
    checksum: 'sha256:28cac9873531f711b866635e0e6d840c6e857bd3e35fb8b21addb05fe3b44ec4',
  },
  // Identity of the store, which the object store also records (ADR-0068).
  {
    number: 21,
    name: 'identity',
    oldest_program: 1,
    checksum: 'sha256:76f92851abf289433401c85198eee7e1ca961f8d71cf2ea160770974f2aeae3a',
  },
  // Only pending, failed and recent dispatches have rows: each receiver has a cursor over the events in the outbox.
  {
    number: 22,
    name: 'webhooks',
    oldest_program: 1,
    checksum: 'sha256:374261cb12ad69d6b8d2f63b85daa1ec673423e13e9fa26b826e382e68ddfb75',
  },
  // A claim reads few jobs, regardless of the length of the queue. Earlier releases continue to use `claim_job`.
  {
    number: 23,
    name: 'queue',
    oldest_program: 1,
    checksum: 'sha256:ff713844c6e6649ad1d57fe6bbba08b42307b3d9e8f4d8808ef36ae03f66a718',
  },
  // Keys of the issuer, for processes that start while the issuer is unavailable.
  {
    number: 24,
    name: 'issuers',
    oldest_program: 1,
    checksum: 'sha256:1ca8b186105d7cd4edf43a5f6d279f7d88aa3c38fdfad7ea2e44e8a36666f774',
  },
  {
    number: 25,
    name: 'ordered',
    oldest_program: 1,
    checksum: 'sha256:e2d50cf78f34490b86f4f3197a448e3d2777460a3d595b42be9eb9d1a9d6ee5d',
  },
  // Stores the layer class of each job, so that claims can keep a lane free for shared layers. Earlier releases use
  // `claim_job`.
  {
    number: 26,
    name: 'classes',
    oldest_program: 1,
    checksum: 'sha256:d5c8b7666deecbaf462cac6f0e9b57b3a4ffe8fa908abb4f789f66580b654974',
  },
  {
    number: 27,
    name: 'rejected-types',
    oldest_program: 1,
    checksum: 'sha256:b56013e8c794f50f7e1fa170923fdd4c84373bed949aa365cdffbe16d86e7f8d',
  },
  {
    number: 28,
    name: 'failed-jobs',
    oldest_program: 1,
    checksum: 'sha256:465e6eb53b3ff25d5265a17b6a1069da79f21e53582f0c74195ce77fddc6f7b5',
  },
  {
    number: 29,
    name: 'freezes',
    oldest_program: 1,
    checksum: 'sha256:5c3f80a294c33fefcb20e4f48ca347df94af2c12a3bcfe1e77242e6d5bbcd1a4',
  },
  {
    number: 30,
    name: 'purged-versions',
    oldest_program: 1,
    checksum: 'sha256:18f0fea75334000c29b0cdcfa7d45c73ebebf3920833ba672e6457362308b51b',
  },
  // Signatures of versions, and the keys that the registry publishes.
  {
    number: 31,
    name: 'signatures',
    oldest_program: 1,
    checksum: 'sha256:c7b2e94c32683d83c93b48b9b6378936b80c12c13bfe16a9e2916b75f5395dd4',
  },
  // Reads are numbered without the lock of the tenant. Earlier releases do not record them.
  {
    number: 32,
    name: 'reads',
    oldest_program: 1,
    checksum: 'sha256:dbe3c5e5d44ec8ffc30bab76984e0f364b603c8b4a332ebbbbb0b01007daf161',
  },
].map((step) => frozenStep('postgres', step));
