import * as endpoints from '@catalog/contract/endpoints/audit';
import { listAudit } from '../../registry/audit/list-audit.ts';
import { listReads } from '../../registry/audit/list-reads.ts';
import { defineRoute, json, type Route } from '../route.ts';

const listAuditRoute = defineRoute(endpoints.listAudit, async ({ registry, context, query }) =>
  json(await listAudit(registry, context, query)),
);

const listReadsRoute = defineRoute(endpoints.listReads, async ({ registry, context, query }) =>
  json(await listReads(registry, context, query)),
);

export const auditRoutes: readonly Route[] = [listAuditRoute, listReadsRoute];
