/** Properties of an endpoint for the matrix, written by hand and compared with the contract. */
export interface MatrixRoute {
  /** Access class in the table of SPEC-3. */
  class:
    | 'read'
    | 'layer_list'
    | 'reorder'
    | 'layer_write'
    | 'admin'
    | 'operator'
    | 'events'
    | 'posture'
    | 'scim'
    | 'free';
  /** True if the method is not GET, HEAD or OPTIONS. */
  changes?: true;
  /** Variants of the request that are sent once for each layer. */
  about_layers?: readonly string[];
  /** Variants of the request that concern no layer. */
  about_nothing?: readonly string[];
  /** Sent for every variant; otherwise, `requests.ts` creates the request. */
  request?: readonly [method: string, path: string];
}

export const ROUTES: Readonly<Record<string, MatrixRoute>> = {
  load_domain: { class: 'read', about_layers: ['plain'] },
  search_domains: { class: 'read', about_layers: ['plain'] },
  search_artifacts: {
    class: 'read',
    about_layers: ['plain', 'browse', 'as-admin'],
    about_nothing: ['malformed'],
  },
  catalog: { class: 'read', about_layers: ['plain'], request: ['GET', '/v1/catalog'] },
  recent: { class: 'read', about_layers: ['plain'] },
  recent_feed: { class: 'read', about_layers: ['plain'] },
  sync_manifest: { class: 'read', about_layers: ['plain'], request: ['GET', '/v1/sync/manifest'] },
  dependents: { class: 'read', about_layers: ['plain'] },
  domain_analyze: { class: 'read', about_layers: ['plain'] },
  scope_preview: { class: 'read', about_layers: ['plain'], request: ['GET', '/v1/scope/preview'] },
  load_artifact: {
    class: 'read',
    about_layers: ['plain', 'head', 'pinned', 'in-layer', 'as-admin'],
  },
  signatures: { class: 'read', changes: true, about_nothing: ['plain'] },
  batch_load: { class: 'read', changes: true, about_layers: ['plain'] },
  artifact_markdown: { class: 'read', about_layers: ['plain'] },
  artifact_lineage: { class: 'read', about_layers: ['plain', 'in-layer'] },
  popular: { class: 'read', about_nothing: ['plain'], request: ['GET', '/v1/usage'] },
  artifact_usage: { class: 'read', about_layers: ['plain'] },
  list_versions: { class: 'read', about_layers: ['plain'] },
  objects: { class: 'read', about_layers: ['plain', 'head'] },
  list_layers: { class: 'layer_list', about_layers: ['plain'], request: ['GET', '/v1/layers'] },
  list_deleted_layers: {
    class: 'layer_list',
    about_layers: ['plain'],
    request: ['GET', '/v1/layers?deleted=true'],
  },
  list_ingests: { class: 'layer_list', about_layers: ['plain'] },
  get_ingest: { class: 'layer_list', about_layers: ['plain'] },
  unregister_layer: { class: 'layer_write', changes: true, about_layers: ['plain'] },
  restore_layer: { class: 'layer_write', changes: true, about_layers: ['plain'] },
  reingest_layer: { class: 'layer_write', changes: true, about_layers: ['plain', 'break-glass'] },
  ingest_webhook: {
    class: 'free',
    changes: true,
    about_layers: ['signed', 'forged', 'without-key', 'other-key'],
  },
  register_layer: { class: 'layer_write', changes: true },
  update_layer: { class: 'layer_write', changes: true },
  reorder_layers: { class: 'reorder', changes: true },
  preview_reorder: { class: 'reorder', changes: true },
  // A complete request reads a source, which needs the same access as a registration.
  test_source: { class: 'layer_write', changes: true, about_nothing: ['malformed'] },
  quota: { class: 'read', about_nothing: ['plain'], request: ['GET', '/v1/quota'] },
  whoami: { class: 'read', about_nothing: ['plain'], request: ['GET', '/v1/whoami'] },
  events: { class: 'events', about_nothing: ['plain'], request: ['GET', '/v1/events'] },
  grant_admin: { class: 'admin', changes: true, about_nothing: ['plain', 'malformed'] },
  revoke_admin: { class: 'admin', changes: true, about_nothing: ['plain', 'malformed'] },
  list_admins: { class: 'admin', about_nothing: ['plain'], request: ['GET', '/v1/admin/grants'] },
  purge: { class: 'admin', changes: true, about_nothing: ['unknown', 'malformed'] },
  get_freeze_windows: {
    class: 'admin',
    about_nothing: ['plain'],
    request: ['GET', '/v1/admin/freeze-windows'],
  },
  put_freeze_windows: { class: 'admin', changes: true, about_nothing: ['plain', 'malformed'] },
  // A recorded approval would change later cells; an unknown layer tests the same access rules.
  break_glass: { class: 'admin', changes: true, about_nothing: ['unknown', 'malformed'] },
  list_audit: { class: 'admin', about_nothing: ['plain'], request: ['GET', '/v1/admin/audit'] },
  show_effective: { class: 'admin', about_nothing: ['plain', 'malformed'] },
  list_reads: {
    class: 'admin',
    about_nothing: ['plain'],
    request: ['GET', '/v1/admin/audit/reads'],
  },
  access_review: {
    class: 'admin',
    about_nothing: ['plain'],
    request: ['GET', '/v1/admin/access-review'],
  },
  reembed: { class: 'admin', changes: true, about_nothing: ['plain', 'malformed'] },
  get_reembed: { class: 'admin', about_nothing: ['unknown'] },
  list_webhooks: { class: 'admin', about_nothing: ['plain'], request: ['GET', '/v1/webhooks'] },
  // A registered receiver would get events; a rejected URL tests the same access rules.
  create_webhook: { class: 'admin', changes: true, about_nothing: ['malformed'] },
  get_webhook: {
    class: 'admin',
    about_nothing: ['unknown'],
    request: ['GET', '/v1/webhooks/nobody'],
  },
  update_webhook: { class: 'admin', changes: true, about_nothing: ['unknown', 'malformed'] },
  delete_webhook: {
    class: 'admin',
    changes: true,
    about_nothing: ['unknown'],
    request: ['DELETE', '/v1/webhooks/nobody'],
  },
  test_webhook: {
    class: 'admin',
    changes: true,
    about_nothing: ['unknown'],
    request: ['POST', '/v1/webhooks/nobody/test'],
  },
  list_webhook_deliveries: {
    class: 'admin',
    about_nothing: ['unknown'],
    request: ['GET', '/v1/webhooks/nobody/deliveries'],
  },
  get_webhook_delivery: {
    class: 'admin',
    about_nothing: ['unknown'],
    request: ['GET', '/v1/webhooks/nobody/deliveries/nothing'],
  },
  redeliver_webhook: {
    class: 'admin',
    changes: true,
    about_nothing: ['unknown'],
    request: ['POST', '/v1/webhooks/nobody/deliveries/nothing/redeliver'],
  },
  recover_webhook: { class: 'admin', changes: true, about_nothing: ['unknown', 'malformed'] },
  list_tenants: {
    class: 'operator',
    about_nothing: ['plain'],
    request: ['GET', '/v1/admin/tenants'],
  },
  create_tenant: { class: 'operator', changes: true, about_nothing: ['plain', 'malformed'] },
  update_tenant: {
    class: 'operator',
    changes: true,
    about_nothing: ['plain', 'unknown', 'malformed'],
  },
  deactivate_tenant: { class: 'operator', changes: true, about_nothing: ['plain', 'unknown'] },
  session: { class: 'posture', about_nothing: ['plain'], request: ['GET', '/v1/ui/session'] },
  sign_in: { class: 'free', about_nothing: ['plain'], request: ['GET', '/v1/ui/auth/sign-in'] },
  sign_in_callback: {
    class: 'free',
    about_nothing: ['plain'],
    request: ['GET', '/v1/ui/auth/callback?state=x&code=y'],
  },
  sign_out: {
    class: 'free',
    changes: true,
    about_nothing: ['plain'],
    request: ['POST', '/v1/ui/auth/sign-out'],
  },
  web_ui: { class: 'free', about_nothing: ['plain'], request: ['GET', '/app/'] },
  web_ui_asset: {
    class: 'free',
    about_nothing: ['plain'],
    request: ['GET', '/app/assets/nothing.js'],
  },
  web_ui_page: { class: 'free', about_nothing: ['plain'], request: ['GET', '/app/browse/ops'] },
  web_ui_root: { class: 'free', about_nothing: ['plain'], request: ['GET', '/'] },
  healthz: { class: 'free', about_nothing: ['plain'], request: ['GET', '/healthz'] },
  readyz: { class: 'free', about_nothing: ['plain'], request: ['GET', '/readyz'] },
  metrics: { class: 'free', about_nothing: ['plain'], request: ['GET', '/metrics'] },
  openapi: { class: 'free', about_nothing: ['plain'], request: ['GET', '/v1/openapi.json'] },
  resource_metadata: {
    class: 'free',
    about_nothing: ['plain'],
    request: ['GET', '/.well-known/oauth-protected-resource'],
  },
  signing_keys: {
    class: 'free',
    about_nothing: ['plain'],
    request: ['GET', '/.well-known/catalog-keys.json'],
  },
  scim_provider: {
    class: 'scim',
    about_nothing: ['plain'],
    request: ['GET', '/scim/v2/ServiceProviderConfig'],
  },
  scim_schemas: { class: 'scim', about_nothing: ['plain'], request: ['GET', '/scim/v2/Schemas'] },
  scim_schema: {
    class: 'scim',
    about_nothing: ['plain'],
    request: ['GET', '/scim/v2/Schemas/anything'],
  },
  scim_resource_types: {
    class: 'scim',
    about_nothing: ['plain'],
    request: ['GET', '/scim/v2/ResourceTypes'],
  },
  scim_resource_type: {
    class: 'scim',
    about_nothing: ['plain'],
    request: ['GET', '/scim/v2/ResourceTypes/anything'],
  },
  scim_search: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['POST', '/scim/v2/.search'],
  },
  scim_list_users: { class: 'scim', about_nothing: ['plain'], request: ['GET', '/scim/v2/Users'] },
  scim_create_user: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['POST', '/scim/v2/Users'],
  },
  scim_search_users: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['POST', '/scim/v2/Users/.search'],
  },
  scim_get_user: {
    class: 'scim',
    about_nothing: ['plain'],
    request: ['GET', '/scim/v2/Users/anything'],
  },
  scim_replace_user: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['PUT', '/scim/v2/Users/anything'],
  },
  scim_patch_user: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['PATCH', '/scim/v2/Users/anything'],
  },
  scim_delete_user: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['DELETE', '/scim/v2/Users/anything'],
  },
  scim_list_groups: {
    class: 'scim',
    about_nothing: ['plain'],
    request: ['GET', '/scim/v2/Groups'],
  },
  scim_create_group: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['POST', '/scim/v2/Groups'],
  },
  scim_search_groups: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['POST', '/scim/v2/Groups/.search'],
  },
  scim_get_group: {
    class: 'scim',
    about_nothing: ['plain'],
    request: ['GET', '/scim/v2/Groups/anything'],
  },
  scim_replace_group: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['PUT', '/scim/v2/Groups/anything'],
  },
  scim_patch_group: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['PATCH', '/scim/v2/Groups/anything'],
  },
  scim_delete_group: {
    class: 'scim',
    changes: true,
    about_nothing: ['plain'],
    request: ['DELETE', '/scim/v2/Groups/anything'],
  },
};
