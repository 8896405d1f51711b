import type { LayerRecord, NewLayer } from '@catalog/core/ports/layers';

/** Creates a layer without an ingest that the organization can see. */
export function newLayer(fields: Partial<NewLayer> & { id: string }): NewLayer {
  return {
    order: 10,
    user_defined: false,
    public: false,
    organization: true,
    groups: null,
    users: null,
    source_type: 'local',
    repo: '',
    ref: '',
    root: '',
    local_path: '/srv/artifacts',
    owner: '',
    git_provider: '',
    force_push_policy: '',
    created_at: '2026-01-01T00:00:00.000Z',
    deleted_at: null,
    last_ingested_at: null,
    last_ingested_ref: null,
    webhook_secret: '',
    webhook_key: '',
    source_state: null,
    frozen_since: null,
    ...fields,
  };
}

export function layerRecord(fields: Partial<LayerRecord>): LayerRecord {
  return {
    ...newLayer({
      id: 'team',
      source_type: 'git',
      local_path: '',
      public: true,
      organization: false,
      webhook_secret: 'secret',
      webhook_key: 'key',
    }),
    number: 1,
    revision: 0,
    ...fields,
  };
}
