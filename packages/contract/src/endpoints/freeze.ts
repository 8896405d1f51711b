import {
  breakGlassApproval,
  breakGlassBody,
  freezeWindows,
  putFreezeWindowsBody,
} from '../records/freeze.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';

export const getFreezeWindows = defineEndpoint({
  name: 'get_freeze_windows',
  methods: ['GET'],
  path: '/v1/admin/freeze-windows',
  summary: 'Lists the freeze windows of the tenant, the frozen layers, and the open approvals.',
  access: 'admin',
  writes: false,
  responses: { 200: freezeWindows },
  errors: ['auth.forbidden'],
});

export const putFreezeWindows = defineEndpoint({
  name: 'put_freeze_windows',
  methods: ['PUT'],
  path: '/v1/admin/freeze-windows',
  summary: 'Replaces the stored freeze windows of the tenant.',
  access: 'admin',
  writes: true,
  body: putFreezeWindowsBody,
  responses: { 200: freezeWindows },
  errors: ['auth.forbidden', 'ingest.frozen', 'quota.audit_volume_exceeded'],
});

export const breakGlass = defineEndpoint({
  name: 'break_glass',
  methods: ['POST'],
  path: '/v1/admin/break-glass',
  summary:
    "Records the caller's approval to ingest a commit in a freeze window, or to weaken an active window.",
  access: 'admin',
  writes: true,
  body: breakGlassBody,
  responses: { 201: breakGlassApproval },
  errors: ['auth.forbidden', 'ingest.frozen', 'registry.not_found', 'quota.audit_volume_exceeded'],
});

export const freezeEndpoints: readonly Endpoint[] = [
  getFreezeWindows,
  putFreezeWindows,
  breakGlass,
];
