import type { AuditRecord } from './audit-record.ts';

/** Fields of a record that contain the data of one user. */
export interface PersonFields {
  /** Field with the name of the user. The fields are personal only if a record has it. */
  subject: string;
  fields: readonly string[];
  /** True if the subject is a list with one user per element. */
  each?: true;
}

/** Declaration of a record type. Every record also has the fields of its caller. */
export interface RecordType {
  summary: string;
  persons: Readonly<Record<string, PersonFields>>;
}

const NONE = {} as const;
const USER = { user: { subject: 'user_id', fields: ['user_id'] } } as const;
const RESOURCE = {
  resource: {
    subject: 'resource.name',
    fields: ['resource.id', 'resource.name', 'resource.external_id'],
  },
} as const;
const MEMBERS = {
  'members.named_in': {
    subject: 'members.named_in',
    fields: ['members.named_in'],
    each: true,
  },
  'members.named_out': {
    subject: 'members.named_out',
    fields: ['members.named_out'],
    each: true,
  },
} as const;
const APPROVERS = {
  approvers: { subject: 'approvers', fields: ['approvers'], each: true },
} as const;
/** The id of a personal layer usually contains the name of its owner. */
const OWNED_LAYER = {
  layer: { subject: 'layer.owner', fields: ['layer.owner', 'layer'] },
} as const;
const OWNED_ARTIFACTS = {
  artifacts: { subject: 'layer.owner', fields: ['layer.owner', 'artifacts'] },
} as const;
const OWNED_TARGET = {
  layer: { subject: 'layer.owner', fields: ['layer.owner', 'target'] },
} as const;

const DECLARED = {
  'admin.granted': { summary: 'A role was granted or revoked.', persons: USER },
  'admin.reembed': { summary: 'An administrator requested new embeddings.', persons: NONE },
  'admin.visibility_override': {
    summary: 'An administrator read across layers with `as_admin`.',
    persons: NONE,
  },
  'artifact.purged': { summary: 'Content was removed for good.', persons: OWNED_ARTIFACTS },
  'audit.opened': { summary: 'The log starts a new Merkle tree.', persons: NONE },
  'audit.reads_sealed': { summary: 'Digest of the reads of a day.', persons: NONE },
  'directory.group_changed': { summary: 'SCIM changed a group.', persons: MEMBERS },
  'directory.group_created': { summary: 'SCIM created a group.', persons: MEMBERS },
  'directory.group_deleted': { summary: 'SCIM deleted a group.', persons: MEMBERS },
  'directory.user_changed': { summary: 'SCIM changed a user.', persons: RESOURCE },
  'directory.user_created': { summary: 'SCIM created a user.', persons: RESOURCE },
  'directory.user_deleted': { summary: 'SCIM deleted a user.', persons: RESOURCE },
  'freeze.approved': { summary: 'An exception from a freeze was approved.', persons: OWNED_LAYER },
  'freeze.break_glass': {
    summary: 'An ingest used approvals.',
    persons: { ...OWNED_LAYER, ...APPROVERS },
  },
  'freeze.windows_changed': { summary: 'Freeze windows changed.', persons: APPROVERS },
  'layer.config_changed': { summary: 'A shared layer changed.', persons: NONE },
  'layer.ingested': { summary: 'A layer was ingested.', persons: OWNED_TARGET },
  'layer.purged': { summary: 'A deleted layer was removed for good.', persons: OWNED_LAYER },
  'layer.reingest_requested': { summary: 'An ingest was requested.', persons: OWNED_LAYER },
  'layer.user_registered': { summary: 'A personal layer changed.', persons: OWNED_LAYER },
  'object_store.adopted': { summary: 'The registry adopted an object store.', persons: NONE },
  'objects.collected': { summary: 'Unreferenced objects were removed.', persons: NONE },
  'registry.database_lost': { summary: 'The database became unavailable.', persons: NONE },
  'registry.database_recovered': { summary: 'The database became available again.', persons: NONE },
  'registry.primary_changed': { summary: 'Another server became the primary.', persons: NONE },
  'registry.read_only_entered': { summary: 'Writes became unavailable.', persons: NONE },
  'registry.read_only_exited': { summary: 'Writes became available again.', persons: NONE },
  'registry.reads_interrupted': {
    summary: 'A process ended without its last reads.',
    persons: NONE,
  },
  'registry.reads_lost': { summary: 'Reads could not be recorded.', persons: NONE },
  'registry.split_brain': { summary: 'Several primaries were found.', persons: NONE },
  'signing.keys_published': { summary: 'Signing keys changed.', persons: NONE },
  'tenant.managed': { summary: 'A tenant was created or changed.', persons: NONE },
  'webhook.receiver_changed': { summary: 'A webhook receiver changed.', persons: NONE },
} as const satisfies Readonly<Record<string, RecordType>>;

export type RecordTypeName = keyof typeof DECLARED;

/** All types of audit records, with their personal fields. */
export const RECORD_TYPES: Readonly<Record<RecordTypeName, RecordType>> = DECLARED;

const CALLER: PersonFields = {
  subject: 'caller.identity',
  fields: ['caller.identity', 'caller.email', 'caller.groups'],
};

/** Returns the personal fields that a record of the type can have. */
export function listPersonFields(type: string): [person: string, fields: PersonFields][] {
  const declared = new Map<string, RecordType>(Object.entries(RECORD_TYPES)).get(type);
  return [['caller', CALLER], ...Object.entries(declared?.persons ?? {})];
}

/** Returns true if the record has personal data in the fields. Callers under `system:` are not users. */
export function hasPerson(record: AuditRecord, { subject }: PersonFields): boolean {
  if (subject === CALLER.subject) return record['caller.kind'] === 'subject';
  const value = record[subject];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}
