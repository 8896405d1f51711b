// Authorization of layers, from the sections of the specification with these names.
import {
  absent,
  forbidden,
  invalid,
  OPEN_MODES,
  type Outcome,
  type DecisionRule,
} from './decision-rule.ts';

/** A source test accepts the body of a registration, and a preview that of a reorder. */
const REGISTRATIONS = ['register_layer', 'test_source'];
const REORDERS = ['reorder_layers', 'preview_reorder'];

/** If no layer could have the given id, the owner of the layer is irrelevant. */
export const MALFORMED_REGISTRATION: readonly DecisionRule[] = [
  {
    when: { route: REGISTRATIONS, malformed: 'yes', provider: OPEN_MODES },
    answer: invalid,
    requirement: 'Registration rule 1',
  },
  {
    when: { route: REGISTRATIONS, malformed: 'yes', verdict: 'subject' },
    answer: invalid,
    requirement: 'Registration rule 1',
  },
];

export const WRITE_RULE: readonly DecisionRule[] = [
  { when: { gated: 'no' }, answer: 'pass', requirement: 'Layer write authorization' },
  { when: { provider: OPEN_MODES }, answer: 'pass', requirement: 'Layer write authorization 6' },
  { when: { admin: 'yes' }, answer: 'pass', requirement: 'Layer write authorization 1' },
  {
    when: { route: REORDERS, verdict: 'subject' },
    answer: 'pass',
    requirement: 'SPEC-57: what it may not write is an argument',
  },
  {
    when: { stored_class: 'user', is_owner: 'yes' },
    answer: 'pass',
    requirement:
      'rule 1; SPEC-8: a layer that is not in the state an operation is about is unknown to it',
  },
  {
    when: { route: 'register_layer', stored: 'absent', verdict: 'subject' },
    answer: 'pass',
    requirement: 'rule 2',
  },
  { when: {}, answer: forbidden, requirement: 'rule 3; SPEC-8' },
];

const NAMES_PATH = [
  [{ route: 'register_layer', body_names_path: 'yes' }, 'registering'],
  [{ route: 'update_layer', body_names_path: 'yes' }, 'patching local_path'],
  [{ route: ['restore_layer', 'reingest_layer'], stored_names_path: 'yes' }, 'Local-source 1'],
  [
    { route: 'update_layer', reads_again: 'yes', stored_names_path: 'yes' },
    'Local-source 1: such a patch is a reingest too',
  ],
] as const;

const localSource: Outcome = { ...forbidden, constraint: 'local_source' };

export const LOCAL_SOURCE: readonly DecisionRule[] = [
  { when: { gated: 'no' }, answer: 'pass', requirement: 'Local-source authorization' },
  { when: { provider: OPEN_MODES }, answer: 'pass', requirement: 'Local-source 7' },
  {
    when: { route: 'update_layer', stored: 'absent', admin: 'yes' },
    answer: absent,
    requirement: 'SPEC-8: an admin learns first that there is nothing to patch',
  },
  ...NAMES_PATH.map(([when]): DecisionRule => ({
    when: { tenancy: 'multi', ...when },
    answer: localSource,
    requirement: "SPEC-77, a departure from Local-source 1: the operator's configuration alone",
  })),
  { when: { admin: 'yes' }, answer: 'pass', requirement: 'Local-source 1' },
  ...NAMES_PATH.map(([when, law]): DecisionRule => ({
    when,
    answer: localSource,
    requirement: law,
  })),
];

export const ADMIN_ONLY_FIELDS: readonly DecisionRule[] = [
  { when: { provider: OPEN_MODES }, answer: 'pass', requirement: 'every caller is admitted' },
  {
    when: { admin: 'yes' },
    answer: 'pass',
    requirement: 'read on a tenant admin\u2019s registration',
  },
  {
    when: { route: 'register_layer', asserts: 'yes' },
    answer: { ...forbidden, constraint: 'admin_only_fields' },
    requirement: 'Admin-only registration fields',
  },
];

/** Missing layers; only callers with access to the state reach this table. */
export const STATE: readonly DecisionRule[] = [
  {
    when: {
      route: ['update_layer', 'unregister_layer', 'reingest_layer'],
      stored: ['absent', 'deleted'],
    },
    answer: absent,
    requirement: 'SPEC-8',
  },
  {
    when: { route: 'restore_layer', stored: ['absent', 'live'] },
    answer: absent,
    requirement: 'SPEC-8; what is not deleted cannot be restored',
  },
];

export const ARGUMENTS: readonly DecisionRule[] = [
  {
    when: { malformed: 'yes' },
    answer: invalid,
    requirement: 'Registration rule 1, Update rule 6',
  },
  {
    when: { route: 'update_layer', stored_class: 'user', reclassifies: 'yes' },
    answer: { ...invalid, constraint: 'immutable_visibility' },
    requirement: 'Update rule 4',
  },
  {
    when: { route: REORDERS, names: ['unknown', 'twice'] },
    answer: invalid,
    requirement: 'SPEC-57',
  },
];

export const DELIVERY: readonly DecisionRule[] = [
  {
    when: { route: 'ingest_webhook', addressed: 'no', provider: OPEN_MODES },
    answer: absent,
    requirement: 'SPEC-5: the key is the address, and nothing is at this one',
  },
  {
    when: { route: 'ingest_webhook', addressed: 'no' },
    answer: { status: 401, code: 'ingest.webhook_invalid' },
    requirement: 'T17: no layer is answered like a wrong signature',
  },
  {
    when: { route: 'ingest_webhook', stored_source: 'local' },
    answer: invalid,
    requirement: 'Ingest webhook: git sources only',
  },
  {
    when: { route: 'ingest_webhook', variant: 'forged' },
    answer: { status: 401, code: 'ingest.webhook_invalid' },
    requirement: 'SPEC-9: the signature first',
  },
  {
    when: { route: 'ingest_webhook', provider: OPEN_MODES },
    answer: { status: 202 },
    requirement: 'Local-source 7',
  },
  {
    when: { route: 'ingest_webhook', stored_names_path: 'yes' },
    answer: { ...forbidden, constraint: 'local_source' },
    requirement: 'Local-source 5, SPEC-9',
  },
  { when: { route: 'ingest_webhook' }, answer: { status: 202 }, requirement: 'SPEC-19' },
];
