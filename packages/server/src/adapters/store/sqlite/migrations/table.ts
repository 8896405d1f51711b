import { frozenStep } from '../../shared/frozen-step.ts';
import type { RunnableStep } from '../../shared/frozen-step.ts';

/**
 * Every step of the schema in its order; its statements are in the file of its number and name in `steps/`.
 * New steps are added at the end.
 */
export const migrations: readonly RunnableStep[] = [
  // Layers, versions, heads and what is kept beside them. The tenant leads every key. Texts compare
  // by their bytes (`BINARY` over UTF-8), which is the order ids are listed in. Small columns stand
  // before large ones, so that a listing does not read bodies.
  {
    number: 1,
    name: 'store',
    checksum: 'sha256:d09cbd529747fb80fb983da265852ba243ed9854f4a00eb69bc0157c73fe0c0d',
  },
  // The inverted index of artifacts. Documents of a layer are numbered in the order they came; a
  // document keeps its number while it is there. A row of postings holds the documents of one term
  // in one stretch of numbers, so a search reads few rows and a change rewrites small ones.
  {
    number: 2,
    name: 'search',
    checksum: 'sha256:6c8a4a51cf770927b1c6620c0d683fdc4d077385adc569bb9b33fae4a8c415a1',
  },
  // The map of domains. Every table leads with the tenant; most are read for the layers of one
  // view, so that what other layers hold costs nothing. Paths compare by their bytes; the root's
  // path is empty.
  {
    number: 3,
    name: 'domains',
    checksum: 'sha256:a38c0ab19884114d01502b0be2c4046215565297b2edab2dd61dc14a7f4eba03',
  },
  // How far a copy into this file is; a row while one is under way. Nobody is served from half a
  // copy.
  {
    number: 4,
    name: 'restores',
    checksum: 'sha256:65f8962214cb11c17f5728848d895767d6a3f10929059d3577b644fe6c94cbfe',
  },
  // What is known of each tenant, and who its admins are.
  {
    number: 5,
    name: 'access',
    checksum: 'sha256:33cc1c370a7319baa15d74ca29266e6fe36c876c87d17757b9a25de477f206ce',
  },
  // Users and groups that a directory pushes, and who is in which group.
  {
    number: 6,
    name: 'directory',
    checksum: 'sha256:0dae09c57c9f559abc865a72ab7786250f2321a13c773c7b10625dcfc317e1e6',
  },
  // What each tenant uses. Triggers keep it, so that it is right whoever writes: an ingest, a
  // restore.
  {
    number: 7,
    name: 'usage',
    checksum: 'sha256:f570f7b900d6ddde092d0c2a524365aa37438b0b6b77506195a086c047179fa1',
  },
  // Vectors of documents and domains, and what still waits for them.
  {
    number: 8,
    name: 'embeddings',
    checksum: 'sha256:208a7c5fefb6af66341d2638a784b4ac1cb78840ab81c2e469e446a83d5bc023',
  },
  // The words of each tenant, for queries whose own nobody has: unfinished ones and misspelt ones.
  // Who holds them in a view is looked up in the postings.
  {
    number: 9,
    name: 'words',
    checksum: 'sha256:22e8999ad10a02ac78be203d13b9774b85e980d63cbeefa55425d8c08bce3ca7',
  },
  // Sessions by subject, since two callers may choose the same session id, and choices without a
  // subject numbered, so that the oldest can be dropped. Sessions in progress resolve `latest`
  // again.
  {
    number: 10,
    name: 'sessions',
    checksum: 'sha256:79474899ab688fe08300f7c7702e2c992af531e93a5c59c18cbb6b391b8ad972',
  },
  // The holder of a purged layer, the copies of git repositories as storage, and which parents a
  // tenant accepts.
  {
    number: 11,
    name: 'boundaries',
    checksum: 'sha256:fa02c0375fbeb124163b4b17e4c0022329afb847dba441b20586143194f69cbe',
  },
  // The commit each version was read from, and heads by the time of their ingest.
  {
    number: 12,
    name: 'changes',
    checksum: 'sha256:74d06705f9d9ee13e9aa1cd9324380bfa8ad8a3526a88fd9ad349ed7e88b7c30',
  },
  // The standing of versions after rollbacks, apart from the versions, which never change.
  {
    number: 13,
    name: 'standings',
    checksum: 'sha256:2de7c15d1426c4e5094db0b5fd9430f83f27daae2905f96fc860894ee5e09cd9',
  },
  // The identity of the file, which its object store also holds (ADR-0068).
  {
    number: 14,
    name: 'identity',
    checksum: 'sha256:2d6df872b3a23464e6b38721cf82649badfadaaefe4be159022a4d5f6e495bac',
  },
  // Receivers of webhooks, and what is sent to them. Only dispatches that wait, that failed, and those of
  // the last days have rows: events are in the outbox, and each receiver has a cursor over it.
  {
    number: 15,
    name: 'webhooks',
    checksum: 'sha256:7b080a29dedeb23509c51cd53e1e70980de413129ccb75450ff3323a0ac8408b',
  },
  // Claims that read few jobs however many are queued.
  {
    number: 16,
    name: 'queue',
    checksum: 'sha256:f506e839f24fc15e2f12610ceecde53e7d5fa36d8e454957dc02fadba63a97bf',
  },
  // Public keys of the issuer, for processes that start while it is unavailable.
  {
    number: 17,
    name: 'issuers',
    checksum: 'sha256:273d7a689eb314ff2f10a999ada4e1bc03e948c06cbece922dca332932c46868',
  },
  // Receivers that get one delivery at a time, in the order of the events.
  {
    number: 18,
    name: 'ordered',
    checksum: 'sha256:0d5d6f0c618a83777fdd44af2a03ff9ea2597a31cad9c820c32eefcc64c533fc',
  },
  // The class of each job's layer, and claims that leave a lane to shared layers.
  {
    number: 19,
    name: 'classes',
    checksum: 'sha256:638a15ff699287635b5552a6a3ddb1766fec469cfde605e0065192c0b71cd77c',
  },
  // The types of rejected artifacts.
  {
    number: 20,
    name: 'rejected-types',
    checksum: 'sha256:0a395f2b19da2d8a3f63e2cdcf718c68293fd8ce52de018cea909555d16694f0',
  },
  // The search for ingests to retry, in one statement.
  {
    number: 21,
    name: 'failed-jobs',
    checksum: 'sha256:2345fefa754e3283fdd4301af762d4fca233869b830f6693d6d45bffe1f607be',
  },
].map((step) => frozenStep('sqlite', step));
