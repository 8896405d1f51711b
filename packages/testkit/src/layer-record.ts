import type { LayerRecord } from '@catalog/core/ports/layers';

/** A layer that has not been ingested yet. */
export function layerRecord(fields: Partial<LayerRecord>): LayerRecord {
  return {
    id: 'team',
    number: 1,
    order: 10,
    user_defined: false,
    public: true,
    organization: false,
    groups: null,
    users: null,
    source_type: 'git',
    repo: '',
    ref: '',
    root: '',
    local_path: '',
    owner: '',
    git_provider: '',
    force_push_policy: '',
    created_at: '2026-01-01T00:00:00.000Z',
    deleted_at: null,
    last_ingested_at: null,
    last_ingested_ref: null,
    webhook_secret: 'secret',
    webhook_key: 'key',
    source_state: null,
    revision: 0,
    ...fields,
  };
}
