import type { StoreReads, StoreWrites } from '@catalog/core/ports/store';
import { archiveReads, archiveWrites } from '../shared/archive.ts';
import { artifactUsageReads, artifactUsageWrites } from '../shared/artifact-usage.ts';
import { auditReads, auditWrites } from '../shared/audit.ts';
import { deliveryWrites } from '../shared/deliveries.ts';
import { directoryReads, directoryWrites } from '../shared/directory.ts';
import { dialect } from './dialect.ts';
import { dispatchReads, dispatchWrites } from '../shared/dispatches.ts';
import { domainReads, domainWrites } from './domains/domains.ts';
import { freezeReads, freezeWrites } from '../shared/freezes.ts';
import { grantReads, grantWrites } from '../shared/grants.ts';
import { identityReads, identityWrites } from '../shared/identity.ts';
import { issuerReads, issuerWrites } from '../shared/issuers.ts';
import { jobReads, jobWrites } from '../shared/jobs.ts';
import { keySetReads, keySetWrites } from '../shared/key-sets.ts';
import { layerReads, layerWrites, type ReadRevision } from '../shared/layers.ts';
import { outboxReads, outboxWrites } from '../shared/outbox.ts';
import { purgeLayer } from './purge-layer.ts';
import type { Reads } from '../shared/queries.ts';
import { purgeReads, purgeWrites } from '../shared/purges.ts';
import { readLogReads, readLogWrites } from '../shared/read-log.ts';
import { receiverReads, receiverWrites } from '../shared/receivers.ts';
import { searchReads, searchWrites } from './search/search.ts';
import { sessionReads, sessionWrites } from '../shared/sessions.ts';
import { signatureReads, signatureWrites } from '../shared/signatures.ts';
import { tenantReads, tenantWrites } from '../shared/tenants.ts';
import type { Transaction } from '../shared/queries.ts';
import { versionReads } from './versions/reads.ts';
import { versionWrites } from './versions/writes.ts';

export function storeReads(reads: Reads, revision: ReadRevision): StoreReads {
  const { run } = reads;
  return {
    tenants: tenantReads(run, dialect),
    grants: grantReads(run),
    freezes: freezeReads(run, dialect),
    directory: directoryReads(reads, dialect),
    layers: layerReads(run, dialect, revision),
    versions: versionReads(reads),
    search: searchReads(reads),
    domains: domainReads(reads),
    jobs: jobReads(run, dialect),
    outbox: outboxReads(run, dialect),
    audit: auditReads(run),
    read_log: readLogReads(run),
    artifact_usage: artifactUsageReads(run, dialect),
    sessions: sessionReads(run, dialect),
    purges: purgeReads(run),
    receivers: receiverReads(run),
    dispatches: dispatchReads(run, dialect),
    archive: archiveReads(run, dialect),
    identity: identityReads(run, dialect),
    issuers: issuerReads(run),
    signatures: signatureReads(run),
    key_sets: keySetReads(run),
  };
}

export function storeWrites(transaction: Transaction, revision: ReadRevision): StoreWrites {
  const versions = versionWrites(transaction);
  const search = searchWrites(transaction);
  const domains = domainWrites(transaction);
  return {
    tenants: tenantWrites(transaction, dialect),
    grants: grantWrites(transaction),
    freezes: freezeWrites(transaction, dialect),
    directory: directoryWrites(transaction, dialect),
    layers: layerWrites(transaction, dialect, revision, (tenant, number) =>
      purgeLayer(transaction.run, { versions, search, domains }, tenant, number),
    ),
    versions,
    search,
    domains,
    jobs: jobWrites(transaction, dialect),
    outbox: outboxWrites(transaction, dialect),
    audit: auditWrites(transaction),
    read_log: readLogWrites(transaction),
    artifact_usage: artifactUsageWrites(transaction, dialect),
    sessions: sessionWrites(transaction, dialect),
    deliveries: deliveryWrites(transaction, dialect),
    purges: purgeWrites(transaction),
    receivers: receiverWrites(transaction),
    dispatches: dispatchWrites(transaction, dialect),
    archive: archiveWrites(transaction, dialect),
    identity: identityWrites(transaction, dialect),
    issuers: issuerWrites(transaction),
    signatures: signatureWrites(transaction),
    key_sets: keySetWrites(transaction),
  };
}
