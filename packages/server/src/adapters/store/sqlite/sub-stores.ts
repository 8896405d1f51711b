import type { StoreReads, StoreWrites } from '@catalog/core/ports/store';
import { archiveReads, archiveWrites } from './archive.ts';
import { auditReads, auditWrites } from './audit.ts';
import type { Run } from './connection.ts';
import { deliveryWrites } from './deliveries.ts';
import { directoryReads, directoryWrites } from './directory.ts';
import { domainReads, domainWrites } from './domains.ts';
import { grantReads, grantWrites } from './grants.ts';
import { jobReads, jobWrites } from './jobs.ts';
import type { KeptPostings } from './kept-postings.ts';
import { layerReads, layerWrites } from './layers.ts';
import { outboxReads, outboxWrites } from './outbox.ts';
import { purgeLayer } from './purge-layer.ts';
import type { Revisions } from './revisions.ts';
import { searchReads, searchWrites } from './search.ts';
import { sessionReads, sessionWrites } from './sessions.ts';
import { tenantReads, tenantWrites } from './tenants.ts';
import type { Transaction } from './transaction.ts';
import { versionReads } from './version-reads.ts';
import { versionWrites } from './version-writes.ts';

/** Everything that can be read, over one way to reach a connection; `kept` is of what that one reads. */
export function storeReads(run: Run, revisions: Revisions, kept?: KeptPostings): StoreReads {
  return {
    tenants: tenantReads(run),
    grants: grantReads(run),
    directory: directoryReads(run),
    layers: layerReads(run, revisions),
    versions: versionReads(run),
    search: searchReads(run, kept),
    domains: domainReads(run),
    jobs: jobReads(run),
    outbox: outboxReads(run),
    audit: auditReads(run),
    sessions: sessionReads(run),
    archive: archiveReads(run),
  };
}

/** Everything that can be written in one transaction. */
export function storeWrites(transaction: Transaction, revisions: Revisions): StoreWrites {
  const versions = versionWrites(transaction);
  const search = searchWrites(transaction);
  const domains = domainWrites(transaction);
  return {
    tenants: tenantWrites(transaction),
    grants: grantWrites(transaction),
    directory: directoryWrites(transaction),
    layers: layerWrites(transaction, revisions, (tenant, number) =>
      purgeLayer(transaction.run, { versions, search, domains }, tenant, number),
    ),
    versions,
    search,
    domains,
    jobs: jobWrites(transaction),
    outbox: outboxWrites(transaction),
    audit: auditWrites(transaction),
    sessions: sessionWrites(transaction),
    deliveries: deliveryWrites(transaction),
    archive: archiveWrites(transaction),
  };
}
