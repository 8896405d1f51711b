// Authorization of layers, from the sections of the specification with these names.
import { absent, forbidden, invalid, openly, type Outcome, type Row } from './row.ts';

/** A source test accepts the body of a registration, and a preview that of a reorder. */
const REGISTRATIONS = ['register_layer', 'test_source'];
const REORDERS = ['reorder_layers', 'preview_reorder'];

/** If no layer could have the given id, the owner of the layer is irrelevant. */
export const MALFORMED_REGISTRATION: readonly Row[] = [
  {
    when: { route: REGISTRATIONS, malformed: 'yes', provider: openly },
    answer: invalid,
    law: 'Registration rule 1',
  },
  {
    when: { route: REGISTRATIONS, malformed: 'yes', verdict: 'subject' },
    answer: invalid,
    law: 'Registration rule 1',
  },
];

export const WRITE_RULE: readonly Row[] = [
  { when: { gated: 'no' }, answer: 'pass', law: 'Layer write authorization' },
  { when: { provider: openly }, answer: 'pass', law: 'Layer write authorization 6' },
  { when: { admin: 'yes' }, answer: 'pass', law: 'Layer write authorization 1' },
  {
    when: { route: REORDERS, verdict: 'subject' },
    answer: 'pass',
    law: 'SPEC-57: what it may not write is an argument',
  },
  {
    when: { stored_class: 'user', is_owner: 'yes' },
    answer: 'pass',
    law: 'rule 1; SPEC-8: a layer that is not in the state an operation is about is unknown to it',
  },
  {
    when: { route: 'register_layer', stored: 'absent', verdict: 'subject' },
    answer: 'pass',
    law: 'rule 2',
  },
  { when: {}, answer: forbidden, law: 'rule 3; SPEC-8' },
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

export const LOCAL_SOURCE: readonly Row[] = [
  { when: { gated: 'no' }, answer: 'pass', law: 'Local-source authorization' },
  { when: { provider: openly }, answer: 'pass', law: 'Local-source 7' },
  {
    when: { route: 'update_layer', stored: 'absent', admin: 'yes' },
    answer: absent,
    law: 'SPEC-8: an admin learns first that there is nothing to patch',
  },
  ...NAMES_PATH.map(([when]): Row => ({
    when: { tenancy: 'multi', ...when },
    answer: localSource,
    law: "SPEC-77, a departure from Local-source 1: the operator's configuration alone",
  })),
  { when: { admin: 'yes' }, answer: 'pass', law: 'Local-source 1' },
  ...NAMES_PATH.map(([when, law]): Row => ({ when, answer: localSource, law })),
];

export const ADMIN_ONLY_FIELDS: readonly Row[] = [
  { when: { provider: openly }, answer: 'pass', law: 'every caller is admitted' },
  { when: { admin: 'yes' }, answer: 'pass', law: 'read on a tenant admin\u2019s registration' },
  {
    when: { route: 'register_layer', asserts: 'yes' },
    answer: { ...forbidden, constraint: 'admin_only_fields' },
    law: 'Admin-only registration fields',
  },
];

/** Missing layers; only callers with access to the state reach this table. */
export const STATE: readonly Row[] = [
  {
    when: {
      route: ['update_layer', 'unregister_layer', 'reingest_layer'],
      stored: ['absent', 'deleted'],
    },
    answer: absent,
    law: 'SPEC-8',
  },
  {
    when: { route: 'restore_layer', stored: ['absent', 'live'] },
    answer: absent,
    law: 'SPEC-8; what is not deleted cannot be restored',
  },
];

export const ARGUMENTS: readonly Row[] = [
  { when: { malformed: 'yes' }, answer: invalid, law: 'Registration rule 1, Update rule 6' },
  {
    when: { route: 'update_layer', stored_class: 'user', reclassifies: 'yes' },
    answer: { ...invalid, constraint: 'immutable_visibility' },
    law: 'Update rule 4',
  },
  {
    when: { route: REORDERS, names: ['unknown', 'twice'] },
    answer: invalid,
    law: 'SPEC-57',
  },
];

export const DELIVERY: readonly Row[] = [
  {
    when: { route: 'ingest_webhook', addressed: 'no', provider: openly },
    answer: absent,
    law: 'SPEC-5: the key is the address, and nothing is at this one',
  },
  {
    when: { route: 'ingest_webhook', addressed: 'no' },
    answer: { status: 401, code: 'ingest.webhook_invalid' },
    law: 'T17: no layer is answered like a wrong signature',
  },
  {
    when: { route: 'ingest_webhook', stored_source: 'local' },
    answer: invalid,
    law: 'Ingest webhook: git sources only',
  },
  {
    when: { route: 'ingest_webhook', variant: 'forged' },
    answer: { status: 401, code: 'ingest.webhook_invalid' },
    law: 'SPEC-9: the signature first',
  },
  {
    when: { route: 'ingest_webhook', provider: openly },
    answer: { status: 202 },
    law: 'Local-source 7',
  },
  {
    when: { route: 'ingest_webhook', stored_names_path: 'yes' },
    answer: { ...forbidden, constraint: 'local_source' },
    law: 'Local-source 5, SPEC-9',
  },
  { when: { route: 'ingest_webhook' }, answer: { status: 202 }, law: 'SPEC-19' },
];
