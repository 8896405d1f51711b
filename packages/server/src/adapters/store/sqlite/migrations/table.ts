import { frozenStep } from '../../shared/frozen-step.ts';
import type { RunnableStep } from '../../shared/frozen-step.ts';

/** Schema steps, in order. The statements of a step are in `steps/`, in a file with its number and name. */
export const migrations: readonly RunnableStep[] = [
  // Every key starts with the tenant. Strings are compared by bytes (`BINARY` over UTF-8), which is the
  // order of ids in lists. Small columns precede large ones, so that listing does not read bodies.
  {
    number: 1,
    name: 'store',
    checksum: 'sha256:d09cbd529747fb80fb983da265852ba243ed9854f4a00eb69bc0157c73fe0c0d',
  },
  // Documents of a layer are numbered in order of insertion. A row contains the postings of one term in a range of
  // document numbers, so that a search reads few rows and a change rewrites small ones.
  {
    number: 2,
    name: 'search',
    checksum: 'sha256:6c8a4a51cf770927b1c6620c0d683fdc4d077385adc569bb9b33fae4a8c415a1',
  },
  // Most tables are read by the layers of one view, so that the content of other layers costs nothing. Paths are
  // compared by bytes; the root has an empty path.
  {
    number: 3,
    name: 'domains',
    checksum: 'sha256:a38c0ab19884114d01502b0be2c4046215565297b2edab2dd61dc14a7f4eba03',
  },
  // Contains one row while a copy is restored into this file, which the registry does not serve.
  {
    number: 4,
    name: 'restores',
    checksum: 'sha256:65f8962214cb11c17f5728848d895767d6a3f10929059d3577b644fe6c94cbfe',
  },
  {
    number: 5,
    name: 'access',
    checksum: 'sha256:33cc1c370a7319baa15d74ca29266e6fe36c876c87d17757b9a25de477f206ce',
  },
  {
    number: 6,
    name: 'directory',
    checksum: 'sha256:0dae09c57c9f559abc865a72ab7786250f2321a13c773c7b10625dcfc317e1e6',
  },
  // Triggers maintain the usage, so that it is correct for every writer, such as an ingest or a
  // restore.
  {
    number: 7,
    name: 'usage',
    checksum: 'sha256:f570f7b900d6ddde092d0c2a524365aa37438b0b6b77506195a086c047179fa1',
  },
  {
    number: 8,
    name: 'embeddings',
    checksum: 'sha256:208a7c5fefb6af66341d2638a784b4ac1cb78840ab81c2e469e446a83d5bc023',
  },
  // The postings show which layers of a view contain a word.
  {
    number: 9,
    name: 'words',
    checksum: 'sha256:22e8999ad10a02ac78be203d13b9774b85e980d63cbeefa55425d8c08bce3ca7',
  },
  // Two callers may choose the same session id. Choices without a subject are numbered, so that the
  // oldest can be removed. Sessions in progress resolve `latest` again.
  {
    number: 10,
    name: 'sessions',
    checksum: 'sha256:79474899ab688fe08300f7c7702e2c992af531e93a5c59c18cbb6b391b8ad972',
  },
  {
    number: 11,
    name: 'boundaries',
    checksum: 'sha256:fa02c0375fbeb124163b4b17e4c0022329afb847dba441b20586143194f69cbe',
  },
  {
    number: 12,
    name: 'changes',
    checksum: 'sha256:74d06705f9d9ee13e9aa1cd9324380bfa8ad8a3526a88fd9ad349ed7e88b7c30',
  },
  // A separate table, because versions are immutable.
  {
    number: 13,
    name: 'standings',
    checksum: 'sha256:2de7c15d1426c4e5094db0b5fd9430f83f27daae2905f96fc860894ee5e09cd9',
  },
  // Identity of the store, which the object store also records (ADR-0068).
  {
    number: 14,
    name: 'identity',
    checksum: 'sha256:2d6df872b3a23464e6b38721cf82649badfadaaefe4be159022a4d5f6e495bac',
  },
  // Only pending, failed and recent dispatches have rows: each receiver has a cursor over the events in the outbox.
  {
    number: 15,
    name: 'webhooks',
    checksum: 'sha256:7b080a29dedeb23509c51cd53e1e70980de413129ccb75450ff3323a0ac8408b',
  },
  {
    number: 16,
    name: 'queue',
    checksum: 'sha256:f506e839f24fc15e2f12610ceecde53e7d5fa36d8e454957dc02fadba63a97bf',
  },
  // Keys of the issuer, for processes that start while the issuer is unavailable.
  {
    number: 17,
    name: 'issuers',
    checksum: 'sha256:273d7a689eb314ff2f10a999ada4e1bc03e948c06cbece922dca332932c46868',
  },
  {
    number: 18,
    name: 'ordered',
    checksum: 'sha256:0d5d6f0c618a83777fdd44af2a03ff9ea2597a31cad9c820c32eefcc64c533fc',
  },
  {
    number: 19,
    name: 'classes',
    checksum: 'sha256:638a15ff699287635b5552a6a3ddb1766fec469cfde605e0065192c0b71cd77c',
  },
  {
    number: 20,
    name: 'rejected-types',
    checksum: 'sha256:0a395f2b19da2d8a3f63e2cdcf718c68293fd8ce52de018cea909555d16694f0',
  },
  {
    number: 21,
    name: 'failed-jobs',
    checksum: 'sha256:2345fefa754e3283fdd4301af762d4fca233869b830f6693d6d45bffe1f607be',
  },
  {
    number: 22,
    name: 'freezes',
    checksum: 'sha256:96ef918340d483d4cdb0a5ac413c9029b8a625b385c5163a2e0ebcda4f379a25',
  },
  {
    number: 23,
    name: 'purged-versions',
    checksum: 'sha256:a1f6563d31bb6cf3d34c9ec1f1076926ec6945233820f607ddb43db34912f2da',
  },
  // Signatures of versions, and the keys that the registry publishes.
  {
    number: 24,
    name: 'signatures',
    checksum: 'sha256:d5b4dca5ed8193a0f81c0357fc47fd3ef92a6a52c48d4e33261f016071e5ba89',
  },
  // Reads are numbered without the lock of the tenant. Earlier releases do not record them.
  {
    number: 25,
    name: 'reads',
    checksum: 'sha256:75a07666ea2c8d87df8209811d6234557f139d129c1f01149264e3c7e5debd02',
  },
].map((step) => frozenStep('sqlite', step));
