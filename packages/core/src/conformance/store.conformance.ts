import { archiveConformance } from './archive/archive.conformance.ts';
import { auditConformance } from './audit/audit.conformance.ts';
import { deliveriesConformance } from './deliveries/deliveries.conformance.ts';
import { jobsConformance } from './jobs/jobs.conformance.ts';
import { layersConformance } from './layers/layers.conformance.ts';
import { outboxConformance } from './outbox/outbox.conformance.ts';
import type { OpenStore } from './samples.conformance.ts';
import { sessionsConformance } from './sessions/sessions.conformance.ts';
import { unitOfWorkConformance } from './unit-of-work/unit-of-work.conformance.ts';
import { versionsConformance } from './versions/versions.conformance.ts';

/** Everything a metadata store promises. */
export function storeConformance(open: OpenStore): void {
  unitOfWorkConformance(open);
  layersConformance(open);
  versionsConformance(open);
  jobsConformance(open);
  outboxConformance(open);
  archiveConformance(open);
  auditConformance(open);
  sessionsConformance(open);
  deliveriesConformance(open);
}
