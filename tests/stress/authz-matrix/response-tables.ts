// Visibility tables, and the responses to requests that are allowed.
import { absent, OPEN_MODES, type Outcome, type DecisionRule } from './decision-rule.ts';

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
export const READ: readonly DecisionRule[] = [
  {
    when: { route: 'load_artifact', override: 'yes', admin: 'yes', seen: 'no' },
    answer: { ...absent, audited: 1 },
    requirement: 'SPEC-10: the override is audited, whatever it finds',
  },
  {
    when: {
      route: [
        'load_artifact',
        'artifact_markdown',
        'artifact_lineage',
        'artifact_usage',
        'list_versions',
        'objects',
      ],
      seen: 'no',
    },
    answer: absent,
    requirement: 'SPEC-16',
  },
  {
    when: { route: ['load_domain', 'domain_analyze'], seen: 'no' },
    answer: { status: 404, code: 'domain.not_found' },
    requirement: 'Discovery',
  },
  {
    when: { route: 'get_ingest', narrowed: 'yes' },
    answer: absent,
    requirement: 'SPEC-12: reports name artifacts',
  },
  {
    when: { route: ['list_ingests', 'get_ingest'], seen: 'no' },
    answer: absent,
    requirement: 'SPEC-3',
  },
  {
    when: { override: 'yes', provider: 'none', seen: 'yes' },
    answer: { status: 200, shows: true },
    requirement: 'SPEC-10: where nothing is filtered nothing is overridden',
  },
  {
    when: { override: 'yes', provider: 'none' },
    answer: { status: 200, shows: false },
    requirement: 'SPEC-10: where nothing is filtered nothing is overridden',
  },
  {
    when: { override: 'yes', seen: 'yes' },
    answer: { status: 200, shows: true, audited: 1 },
    requirement: 'SPEC-10: the override is audited',
  },
  {
    when: { override: 'yes', seen: 'no' },
    answer: { status: 200, shows: false, audited: 1 },
    requirement: 'SPEC-10: the override is audited',
  },
  {
    when: { class: ['read', 'layer_list'], seen: 'yes' },
    answer: { status: 200, shows: true },
    requirement: '',
  },
  {
    when: { class: ['read', 'layer_list'], seen: 'no' },
    answer: { status: 200, shows: false },
    requirement: '',
  },
];

export const DONE: readonly DecisionRule[] = [
  {
    when: { route: 'session', provider: OPEN_MODES, open_writes: 'deny' },
    answer: { status: 200, subject: false, manages: false },
    requirement: 'Session posture; SPEC-76',
  },
  {
    when: { route: 'session', provider: OPEN_MODES },
    answer: { status: 200, subject: false, manages: true },
    requirement: 'Session posture',
  },
  {
    when: { route: 'session', verdict: 'subject', admin: 'yes' },
    answer: { status: 200, subject: true, manages: true },
    requirement: 'Session posture',
  },
  {
    when: { route: 'session', verdict: 'subject' },
    answer: { status: 200, subject: true, manages: false },
    requirement: 'Session posture',
  },
  {
    when: { route: 'session' },
    answer: { status: 200, subject: false, manages: false },
    requirement: 'Session posture: false where nothing is determined',
  },
  ...(
    [
      [{ provider: OPEN_MODES }, 'shared'],
      [{ asserts: 'yes' }, 'shared'],
      [{}, 'own'],
    ] as const
  ).flatMap(([when, makes]): DecisionRule[] => [
    {
      when: { route: 'register_layer', swept: 'yes', ...when },
      answer: { status: 201, audited: 2, makes },
      requirement: 'SPEC-6; what is past its window is swept away first, and that is recorded too',
    },
    {
      when: { route: 'register_layer', replaces: 'yes', ...when },
      answer: { status: 201, audited: 2, makes },
      requirement: 'SPEC-85: the former layer is unregistered, and that is recorded too',
    },
  ]),
  {
    when: { route: 'register_layer', provider: OPEN_MODES },
    answer: { status: 201, audited: 1, makes: 'shared' },
    requirement: 'SPEC-6: no subject can resolve',
  },
  {
    when: { route: 'register_layer', asserts: 'yes' },
    answer: { status: 201, audited: 1, makes: 'shared' },
    requirement: 'SPEC-6',
  },
  {
    when: { route: 'register_layer' },
    answer: { status: 201, audited: 1, makes: 'own' },
    requirement: 'SPEC-6',
  },
  {
    when: { route: 'update_layer', stores: 'no' },
    answer: { status: 200, audited: 0 },
    requirement: 'Update rule 7',
  },
  { when: { route: 'update_layer' }, answer: { status: 200, audited: 1 }, requirement: '' },
  { when: { route: 'unregister_layer' }, answer: { status: 200, audited: 1 }, requirement: '' },
  { when: { route: 'restore_layer' }, answer: { status: 200, audited: 1 }, requirement: '' },
  {
    when: { route: 'reingest_layer' },
    answer: { status: 202, audited: 1 },
    requirement: 'SPEC-19',
  },
  {
    when: { route: 'reorder_layers', names: 'others', stored_class: 'user' },
    answer: { status: 200, audited: 2 },
    requirement: 'SPEC-25: a record of a personal layer names that one only, and two have moved',
  },
  {
    when: { route: 'reorder_layers', names: 'others' },
    answer: { status: 200, audited: 1 },
    requirement: '',
  },
  {
    when: { route: 'preview_reorder' },
    answer: { status: 200, audited: 0 },
    requirement: 'an addition: it changes nothing',
  },
  {
    when: { route: 'reorder_layers' },
    answer: { status: 200, audited: 0 },
    requirement: 'Update rule 7',
  },
  { when: { route: 'grant_admin' }, answer: { status: 201, audited: 1 }, requirement: 'Admin' },
  { when: { route: 'revoke_admin' }, answer: { status: 204, audited: 1 }, requirement: 'Admin' },
  {
    when: { route: 'put_freeze_windows' },
    answer: { status: 200, audited: 1 },
    requirement: 'SPEC-13',
  },
  {
    when: { route: 'break_glass' },
    answer: { status: 404, code: 'registry.not_found' },
    requirement: 'SPEC-13',
  },
  {
    when: { route: 'purge' },
    answer: { status: 404, code: 'registry.not_found' },
    requirement: 'SPEC-20',
  },
  { when: { route: 'reembed' }, answer: { status: 202, audited: 1 }, requirement: 'Admin' },
  {
    when: { route: 'get_reembed' },
    answer: { status: 404, code: 'registry.not_found' },
    requirement: 'an addition',
  },
  {
    when: { route: 'list_webhooks' },
    answer: { status: 200 },
    requirement: 'Outbound webhook receivers',
  },
  {
    when: { route: WEBHOOKS },
    answer: { status: 404, code: 'registry.not_found' },
    requirement: 'Outbound webhook receivers',
  },
  { when: { route: 'create_tenant' }, answer: { status: 201 }, requirement: 'Admin' },
  {
    when: { route: 'update_tenant', variant: 'unknown' },
    answer: unknownTenant,
    requirement: 'Admin',
  },
  {
    when: { route: 'deactivate_tenant', variant: 'unknown' },
    answer: unknownTenant,
    requirement: 'Admin',
  },
  { when: { route: 'update_tenant' }, answer: { status: 200 }, requirement: 'Admin' },
  { when: { route: 'deactivate_tenant' }, answer: { status: 204 }, requirement: 'Admin' },
  { when: {}, answer: { status: 200 }, requirement: '' },
];

/**
 * Visibility of paths on the registry's host: only administrators see them, a restriction of the
 * layer object.
 */
export const HOST_PATHS: readonly DecisionRule[] = [
  { when: { provider: 'public' }, answer: unseen, requirement: 'SPEC-1: nobody holds the role' },
  {
    when: { provider: 'none', open_writes: 'deny' },
    answer: unseen,
    requirement: 'SPEC-76: callers who may change nothing are no administrators',
  },
  { when: { provider: 'none' }, answer: seen, requirement: 'SPEC-1' },
  { when: { admin: 'yes' }, answer: seen, requirement: 'Roles' },
  { when: {}, answer: unseen, requirement: 'as a refusal of the local-source rule names no path' },
];

export const VISIBILITY: readonly DecisionRule[] = [
  {
    when: { stored: ['absent', 'deleted'] },
    answer: unseen,
    requirement: 'its artifacts are gone with it',
  },
  {
    when: { provider: OPEN_MODES },
    answer: seen,
    requirement: 'no identity provider or public mode: the whole',
  },
  { when: { override: 'yes' }, answer: seen, requirement: 'as_admin searches every layer' },
  {
    when: { lists: 'yes', admin: 'yes' },
    answer: seen,
    requirement: 'a tenant admin sees every layer',
  },
  {
    when: { lists: 'yes', verdict: 'anonymous' },
    answer: unseen,
    requirement: 'an anonymous caller: empty',
  },
  { when: { axis_public: 'yes' }, answer: seen, requirement: 'visible to every caller' },
  { when: { verdict: 'anonymous' }, answer: unseen, requirement: 'public visibility only' },
  {
    when: { axis_organization: 'yes' },
    answer: seen,
    requirement: 'authenticated callers of the tenant',
  },
  { when: { axis_group: 'yes' }, answer: seen, requirement: 'groups' },
  { when: { axis_user: 'yes' }, answer: seen, requirement: 'users' },
  { when: {}, answer: unseen, requirement: 'Update rule 3' },
];
