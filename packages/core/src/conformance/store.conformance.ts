import { archiveConformance } from './archive/archive.conformance.ts';
import { auditConformance } from './audit/audit.conformance.ts';
import { deliveriesConformance } from './deliveries/deliveries.conformance.ts';
import { grantsConformance } from './grants/grants.conformance.ts';
import { directoryConformance } from './directory/directory.conformance.ts';
import { embeddingsConformance } from './embeddings/embeddings.conformance.ts';
import { identityConformance } from './identity/identity.conformance.ts';
import { issuersConformance } from './issuers/issuers.conformance.ts';
import { jobsConformance } from './jobs/jobs.conformance.ts';
import { layersConformance } from './layers/layers.conformance.ts';
import { outboxConformance } from './outbox/outbox.conformance.ts';
import { quotaLeasesConformance } from './quota-leases/quota-leases.conformance.ts';
import type { OpenStore } from './samples.conformance.ts';
import { sessionsConformance } from './sessions/sessions.conformance.ts';
import { subjectSessionsConformance } from './sessions/subject-sessions.conformance.ts';
import { tenantsConformance } from './tenants/tenants.conformance.ts';
import { usageConformance } from './tenants/usage.conformance.ts';
import { unitOfWorkConformance } from './unit-of-work/unit-of-work.conformance.ts';
import { dispatchesConformance } from './webhooks/dispatches.conformance.ts';
import { receiversConformance } from './webhooks/receivers.conformance.ts';
import { versionsConformance } from './versions/versions.conformance.ts';

/** Everything a metadata store promises. */
export function storeConformance(open: OpenStore): void {
  unitOfWorkConformance(open);
  tenantsConformance(open);
  usageConformance(open);
  grantsConformance(open);
  layersConformance(open);
  versionsConformance(open);
  jobsConformance(open);
  embeddingsConformance(open);
  outboxConformance(open);
  archiveConformance(open);
  identityConformance(open);
  issuersConformance(open);
  auditConformance(open);
  sessionsConformance(open);
  subjectSessionsConformance(open);
  deliveriesConformance(open);
  receiversConformance(open);
  dispatchesConformance(open);
  directoryConformance(open);
  quotaLeasesConformance(open);
}
