import type { StoreReads, StoreWrites } from '@catalog/core/ports/store';
import type { Reads } from '../shared/queries.ts';
import { archiveReads, archiveWrites } from '../shared/archive.ts';
import { artifactUsageReads, artifactUsageWrites } from '../shared/artifact-usage.ts';
import { auditReads, auditWrites } from '../shared/audit.ts';
import type { Run } from './connection/connection.ts';
import { deliveryWrites } from '../shared/deliveries.ts';
import { directoryReads, directoryWrites } from '../shared/directory.ts';
import { dispatchReads, dispatchWrites } from '../shared/dispatches.ts';
import { domainReads, domainWrites } from './domains/domains.ts';
import { freezeReads, freezeWrites } from '../shared/freezes.ts';
import { grantReads, grantWrites } from '../shared/grants.ts';
import { identityReads, identityWrites } from '../shared/identity.ts';
import { issuerReads, issuerWrites } from '../shared/issuers.ts';
import { jobReads, jobWrites } from '../shared/jobs.ts';
import { keySetReads, keySetWrites } from '../shared/key-sets.ts';
import type { PostingsCache } from './search/postings-cache.ts';
import { layerReads, layerWrites, type ReadRevision } from '../shared/layers.ts';
import { outboxReads, outboxWrites } from '../shared/outbox.ts';
import { dialect } from './dialect.ts';
import { sharedTransaction } from './connection/queries.ts';
import { purgeLayer } from './purge-layer.ts';
import { purgeReads, purgeWrites } from '../shared/purges.ts';
import { readLogReads, readLogWrites } from '../shared/read-log.ts';
import { receiverReads, receiverWrites } from '../shared/receivers.ts';
import { searchReads, searchWrites } from './search/search.ts';
import { sessionReads, sessionWrites } from '../shared/sessions.ts';
import { signatureReads, signatureWrites } from '../shared/signatures.ts';
import { tenantReads, tenantWrites } from '../shared/tenants.ts';
import type { Transaction } from './transaction.ts';
import { versionReads } from './versions/reads.ts';
import { versionWrites } from './versions/writes.ts';

export function storeReads(
  run: Run,
  reads: Reads,
  revision: ReadRevision,
  kept?: PostingsCache,
): StoreReads {
  return {
    tenants: tenantReads(reads.run, dialect),
    grants: grantReads(reads.run),
    freezes: freezeReads(reads.run, dialect),
    directory: directoryReads(reads, dialect),
    layers: layerReads(reads.run, dialect, revision),
    versions: versionReads(run),
    search: searchReads(run, kept),
    domains: domainReads(run),
    jobs: jobReads(reads.run, dialect),
    outbox: outboxReads(reads.run, dialect),
    audit: auditReads(reads.run),
    read_log: readLogReads(reads.run),
    artifact_usage: artifactUsageReads(reads.run, dialect),
    sessions: sessionReads(reads.run, dialect),
    purges: purgeReads(reads.run),
    receivers: receiverReads(reads.run),
    dispatches: dispatchReads(reads.run, dialect),
    archive: archiveReads(reads.run, dialect),
    identity: identityReads(reads.run, dialect),
    issuers: issuerReads(reads.run),
    signatures: signatureReads(reads.run),
    key_sets: keySetReads(reads.run),
  };
}

export function storeWrites(transaction: Transaction, revision: ReadRevision): StoreWrites {
  const shared = sharedTransaction(transaction);
  const versions = versionWrites(transaction);
  const search = searchWrites(transaction);
  const domains = domainWrites(transaction);
  return {
    tenants: tenantWrites(shared, dialect),
    grants: grantWrites(shared),
    freezes: freezeWrites(shared, dialect),
    directory: directoryWrites(shared, dialect),
    layers: layerWrites(shared, dialect, revision, (tenant, number) =>
      purgeLayer(transaction.run, { versions, search, domains }, tenant, number),
    ),
    versions,
    search,
    domains,
    jobs: jobWrites(shared, dialect),
    outbox: outboxWrites(shared, dialect),
    audit: auditWrites(shared),
    read_log: readLogWrites(shared),
    artifact_usage: artifactUsageWrites(shared, dialect),
    sessions: sessionWrites(shared, dialect),
    deliveries: deliveryWrites(shared, dialect),
    purges: purgeWrites(shared),
    receivers: receiverWrites(shared),
    dispatches: dispatchWrites(shared, dialect),
    archive: archiveWrites(shared, dialect),
    identity: identityWrites(shared, dialect),
    issuers: issuerWrites(shared),
    signatures: signatureWrites(shared),
    key_sets: keySetWrites(shared),
  };
}
