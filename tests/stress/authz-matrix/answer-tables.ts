// Visibility tables, and the responses to requests that are allowed.
import { absent, openly, type Outcome, type Row } from './row.ts';

const seen: Outcome = { status: 200, shows: true };
const unseen: Outcome = { status: 200, shows: false };
const WEBHOOKS = [
  'get_webhook',
  'update_webhook',
  'delete_webhook',
  'test_webhook',
  'list_webhook_deliveries',
  'get_webhook_delivery',
  'redeliver_webhook',
  'recover_webhook',
];
const unknownTenant: Outcome = { status: 404, code: 'registry.tenant_not_found' };

/** Hidden resources return the same response as missing ones (SPEC-16), which depends on the route. */
export const READ: readonly Row[] = [
  {
    when: { route: 'load_artifact', override: 'yes', admin: 'yes', seen: 'no' },
    answer: { ...absent, audited: 1 },
    law: 'SPEC-10: the override is audited, whatever it finds',
  },
  {
    when: {
      route: ['load_artifact', 'artifact_markdown', 'artifact_lineage', 'list_versions', 'objects'],
      seen: 'no',
    },
    answer: absent,
    law: 'SPEC-16',
  },
  {
    when: { route: ['load_domain', 'domain_analyze'], seen: 'no' },
    answer: { status: 404, code: 'domain.not_found' },
    law: 'Discovery',
  },
  {
    when: { route: 'get_ingest', narrowed: 'yes' },
    answer: absent,
    law: 'SPEC-12: reports name artifacts',
  },
  {
    when: { route: ['list_ingests', 'get_ingest'], seen: 'no' },
    answer: absent,
    law: 'SPEC-3',
  },
  {
    when: { override: 'yes', provider: 'none', seen: 'yes' },
    answer: { status: 200, shows: true },
    law: 'SPEC-10: where nothing is filtered nothing is overridden',
  },
  {
    when: { override: 'yes', provider: 'none' },
    answer: { status: 200, shows: false },
    law: 'SPEC-10: where nothing is filtered nothing is overridden',
  },
  {
    when: { override: 'yes', seen: 'yes' },
    answer: { status: 200, shows: true, audited: 1 },
    law: 'SPEC-10: the override is audited',
  },
  {
    when: { override: 'yes', seen: 'no' },
    answer: { status: 200, shows: false, audited: 1 },
    law: 'SPEC-10: the override is audited',
  },
  {
    when: { class: ['read', 'layer_list'], seen: 'yes' },
    answer: { status: 200, shows: true },
    law: '',
  },
  {
    when: { class: ['read', 'layer_list'], seen: 'no' },
    answer: { status: 200, shows: false },
    law: '',
  },
];

export const DONE: readonly Row[] = [
  {
    when: { route: 'session', provider: openly, open_writes: 'deny' },
    answer: { status: 200, subject: false, manages: false },
    law: 'Session posture; SPEC-76',
  },
  {
    when: { route: 'session', provider: openly },
    answer: { status: 200, subject: false, manages: true },
    law: 'Session posture',
  },
  {
    when: { route: 'session', verdict: 'subject', admin: 'yes' },
    answer: { status: 200, subject: true, manages: true },
    law: 'Session posture',
  },
  {
    when: { route: 'session', verdict: 'subject' },
    answer: { status: 200, subject: true, manages: false },
    law: 'Session posture',
  },
  {
    when: { route: 'session' },
    answer: { status: 200, subject: false, manages: false },
    law: 'Session posture: false where nothing is determined',
  },
  ...(
    [
      [{ provider: openly }, 'shared'],
      [{ asserts: 'yes' }, 'shared'],
      [{}, 'own'],
    ] as const
  ).flatMap(([when, makes]): Row[] => [
    {
      when: { route: 'register_layer', swept: 'yes', ...when },
      answer: { status: 201, audited: 2, makes },
      law: 'SPEC-6; what is past its window is swept away first, and that is recorded too',
    },
    {
      when: { route: 'register_layer', replaces: 'yes', ...when },
      answer: { status: 201, audited: 2, makes },
      law: 'SPEC-85: the former layer is unregistered, and that is recorded too',
    },
  ]),
  {
    when: { route: 'register_layer', provider: openly },
    answer: { status: 201, audited: 1, makes: 'shared' },
    law: 'SPEC-6: no subject can resolve',
  },
  {
    when: { route: 'register_layer', asserts: 'yes' },
    answer: { status: 201, audited: 1, makes: 'shared' },
    law: 'SPEC-6',
  },
  {
    when: { route: 'register_layer' },
    answer: { status: 201, audited: 1, makes: 'own' },
    law: 'SPEC-6',
  },
  {
    when: { route: 'update_layer', stores: 'no' },
    answer: { status: 200, audited: 0 },
    law: 'Update rule 7',
  },
  { when: { route: 'update_layer' }, answer: { status: 200, audited: 1 }, law: '' },
  { when: { route: 'unregister_layer' }, answer: { status: 200, audited: 1 }, law: '' },
  { when: { route: 'restore_layer' }, answer: { status: 200, audited: 1 }, law: '' },
  { when: { route: 'reingest_layer' }, answer: { status: 202, audited: 1 }, law: 'SPEC-19' },
  {
    when: { route: 'reorder_layers', names: 'others', stored_class: 'user' },
    answer: { status: 200, audited: 2 },
    law: 'SPEC-25: a record of a personal layer names that one only, and two have moved',
  },
  {
    when: { route: 'reorder_layers', names: 'others' },
    answer: { status: 200, audited: 1 },
    law: '',
  },
  {
    when: { route: 'preview_reorder' },
    answer: { status: 200, audited: 0 },
    law: 'an addition: it changes nothing',
  },
  { when: { route: 'reorder_layers' }, answer: { status: 200, audited: 0 }, law: 'Update rule 7' },
  { when: { route: 'grant_admin' }, answer: { status: 201, audited: 1 }, law: 'Admin' },
  { when: { route: 'revoke_admin' }, answer: { status: 204, audited: 1 }, law: 'Admin' },
  { when: { route: 'reembed' }, answer: { status: 202, audited: 1 }, law: 'Admin' },
  {
    when: { route: 'get_reembed' },
    answer: { status: 404, code: 'registry.not_found' },
    law: 'an addition',
  },
  { when: { route: 'list_webhooks' }, answer: { status: 200 }, law: 'Outbound webhook receivers' },
  {
    when: { route: WEBHOOKS },
    answer: { status: 404, code: 'registry.not_found' },
    law: 'Outbound webhook receivers',
  },
  { when: { route: 'create_tenant' }, answer: { status: 201 }, law: 'Admin' },
  { when: { route: 'update_tenant', variant: 'unknown' }, answer: unknownTenant, law: 'Admin' },
  { when: { route: 'deactivate_tenant', variant: 'unknown' }, answer: unknownTenant, law: 'Admin' },
  { when: { route: 'update_tenant' }, answer: { status: 200 }, law: 'Admin' },
  { when: { route: 'deactivate_tenant' }, answer: { status: 204 }, law: 'Admin' },
  { when: {}, answer: { status: 200 }, law: '' },
];

/**
 * Visibility of paths on the registry's host: only administrators see them, a restriction of the
 * layer object.
 */
export const HOST_PATHS: readonly Row[] = [
  { when: { provider: 'public' }, answer: unseen, law: 'SPEC-1: nobody holds the role' },
  {
    when: { provider: 'none', open_writes: 'deny' },
    answer: unseen,
    law: 'SPEC-76: callers who may change nothing are no administrators',
  },
  { when: { provider: 'none' }, answer: seen, law: 'SPEC-1' },
  { when: { admin: 'yes' }, answer: seen, law: 'Roles' },
  { when: {}, answer: unseen, law: 'as a refusal of the local-source rule names no path' },
];

export const VISIBILITY: readonly Row[] = [
  {
    when: { stored: ['absent', 'deleted'] },
    answer: unseen,
    law: 'its artifacts are gone with it',
  },
  {
    when: { provider: openly },
    answer: seen,
    law: 'no identity provider or public mode: the whole',
  },
  { when: { override: 'yes' }, answer: seen, law: 'as_admin searches every layer' },
  { when: { lists: 'yes', admin: 'yes' }, answer: seen, law: 'a tenant admin sees every layer' },
  {
    when: { lists: 'yes', verdict: 'anonymous' },
    answer: unseen,
    law: 'an anonymous caller: empty',
  },
  { when: { axis_public: 'yes' }, answer: seen, law: 'visible to every caller' },
  { when: { verdict: 'anonymous' }, answer: unseen, law: 'public visibility only' },
  { when: { axis_organization: 'yes' }, answer: seen, law: 'authenticated callers of the tenant' },
  { when: { axis_group: 'yes' }, answer: seen, law: 'groups' },
  { when: { axis_user: 'yes' }, answer: seen, law: 'users' },
  { when: {}, answer: unseen, law: 'Update rule 3' },
];
