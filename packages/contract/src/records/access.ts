import { z } from 'zod';
import { count, timestamp } from './formats.ts';

const userId = z.string().trim().min(1).max(512);

export const grantBody = z.strictObject({ user_id: userId });
export type GrantBody = z.infer<typeof grantBody>;

export const grantedAdmin = z.strictObject({ user_id: z.string() });
export type GrantedAdmin = z.infer<typeof grantedAdmin>;

/** An addition of catalog to the specification. */
export const adminList = z.strictObject({
  admins: z.array(
    z.strictObject({ user_id: z.string(), granted_at: timestamp, granted_by: z.string() }),
  ),
});
export type AdminList = z.infer<typeof adminList>;

/** Addition to the specification. */
export const accessReview = z.strictObject({
  reviewed_at: timestamp,
  shared_layers: z
    .array(z.strictObject({ layer: z.string(), access: z.enum(['public', 'organization']) }))
    .describe('Layers that every caller, or every user of the organization, can read.'),
  users: z.array(
    z.strictObject({
      user_id: z.string().describe('Subject of the user, or a name from a layer.'),
      state: z
        .enum(['active', 'inactive', 'unknown'])
        .describe('State in the directory; `unknown` if the directory does not have the user.'),
      admin: z
        .strictObject({ granted_at: timestamp, granted_by: z.string() })
        .optional()
        .describe('Absent if the user does not hold the admin role.'),
      groups: z
        .array(z.string())
        .describe('Groups in the directory. Groups of tokens are unknown.'),
      layers: z.array(
        z.strictObject({
          layer: z.string(),
          via: z.enum(['owner', 'user', 'group']),
          group: z.string().optional(),
        }),
      ),
      last_read_at: timestamp
        .optional()
        .describe('Minute of the newest recorded read; absent without one.'),
    }),
  ),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
});
export type AccessReview = z.infer<typeof accessReview>;

export const effectiveView = z.strictObject({
  user_id: z.string(),
  /** Groups of the request and of the directory. */
  groups: z.array(z.string()),
  layers: z.array(
    z.strictObject({ layer_id: z.string(), visible: z.boolean(), reason: z.string() }),
  ),
});
export type EffectiveView = z.infer<typeof effectiveView>;

const limit = z.int().nonnegative();

/** Limits of a tenant; zero means unlimited, except for `max_user_layers`. */
export const tenantQuota = z.strictObject({
  storage_bytes: limit,
  search_qps: limit,
  materialize_rate: limit,
  audit_volume_per_day: limit,
  max_user_layers: z.int(),
});
export type TenantQuotaLimits = z.infer<typeof tenantQuota>;

export const quota = z.strictObject({
  tenant_id: z.string(),
  limits: tenantQuota,
  usage: z.strictObject({
    storage_bytes: count,
    /** Additions of catalog to the specification. */
    artifact_count: count,
    audit_volume_today: count,
  }),
});
export type QuotaAnswer = z.infer<typeof quota>;

/** Null means the setting of the deployment. */
const extendsParents = z.enum(['any', 'visible']).nullable();

export const tenant = z.strictObject({
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
  quota: tenantQuota,
  expose_scope_preview: z.boolean().nullable(),
  /** An addition of catalog to the specification. */
  extends_parents: extendsParents,
});
export type TenantAnswer = z.infer<typeof tenant>;

export const tenantList = z.strictObject({ tenants: z.array(tenant) });
export type TenantList = z.infer<typeof tenantList>;

/**
 * Name of a tenant. It contains no `=`, which separates it from a subject in settings, and must not look like an id.
 */
export const tenantName = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .regex(/^[^\p{Cc}=,]+$/u, 'use printable characters except `=` and `,`')
  .regex(/^(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$)/iu, 'it must not have the form of a UUID');

export const createTenantBody = z.strictObject({
  name: tenantName,
  quota: tenantQuota.partial().optional(),
  expose_scope_preview: z.boolean().nullable().optional(),
  /** An addition of catalog to the specification. */
  extends_parents: extendsParents.optional(),
  /** An addition of catalog to the specification. */
  admins: z.array(userId).max(100).optional(),
});
export type CreateTenantBody = z.infer<typeof createTenantBody>;

export const updateTenantBody = z.strictObject({
  quota: tenantQuota.partial().optional(),
  expose_scope_preview: z.boolean().nullable().optional(),
  /** An addition of catalog to the specification. */
  extends_parents: extendsParents.optional(),
  active: z.boolean().optional(),
});
export type UpdateTenantBody = z.infer<typeof updateTenantBody>;

/** Session of the caller, without data of other users (POSTURE-15). */
export const posture = z.strictObject({
  identity_provider_configured: z.boolean(),
  public_mode: z.boolean(),
  browser_auth: z.strictObject({
    enabled: z.boolean(),
    sign_in_path: z.string().optional(),
    sign_out_path: z.string().optional(),
  }),
  subject: z.string().optional(),
  email: z.string().optional(),
  layer_capabilities: z.strictObject({ manage_any_layer: z.boolean() }),
});
export type Posture = z.infer<typeof posture>;

/** An addition of catalog to the specification. */
export const whoami = z.strictObject({
  subject: z
    .string()
    .optional()
    .describe('Subject that grants and layers name; absent without one.'),
  email: z.string().optional(),
  admin: z.boolean().describe('Whether the caller can manage every layer of the tenant.'),
});
export type Whoami = z.infer<typeof whoami>;

/** Resource metadata of RFC 9728, with keys for `catalog login`. */
export const protectedResource = z.strictObject({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  resource_name: z.string(),
  /** Additions of catalog to the specification: the public client for a sign-in, and the audience to request. */
  catalog_client_id: z.string(),
  catalog_audience: z.string(),
});
export type ProtectedResource = z.infer<typeof protectedResource>;
