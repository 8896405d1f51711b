import { z } from 'zod';
import { ingestConflict, ingestRemark } from '../records/ingest-remark.ts';
import type { ErrorCode } from './error-codes.ts';

/** Reasons that reveal nothing about the network of the registry, so that all callers who test a source get them. */
export const PUBLIC_SOURCE_REASONS = [
  'access_denied',
  'malformed_repository',
  'not_found',
  'redirected',
  'too_large',
] as const;

const nothing = z.strictObject({});

/** Position in a file; line and column are 1-based. */
const place = {
  file: z.string().optional(),
  line: z.int().positive().optional(),
  column: z.int().positive().optional(),
  excerpt: z.string().optional(),
};

const setting = z.strictObject({
  ...place,
  key: z.string().optional(),
  value: z.string().optional(),
  did_you_mean: z.string().optional(),
});

const artifact = { artifact_id: z.string().optional(), version: z.string().optional() };

const rejectedArtifact = z.strictObject({ ...artifact, ...place, layer: z.string().optional() });

const limit = z.strictObject({
  limit: z.number().optional(),
  current: z.number().optional(),
  retry_after_seconds: z.number().optional(),
});

const record = z.strictObject({ id: z.string().optional() });

const executableArtifact = z.strictObject({
  id: z.string(),
  version: z.string(),
  layer: z.string(),
  registry: z.string(),
  capabilities: z.array(
    z.strictObject({
      kind: z.string(),
      key: z.string(),
      /** True if the user has not approved the capability yet. */
      added: z.boolean(),
      text: z.string(),
    }),
  ),
});

const embedding = z.strictObject({
  provider: z.string().optional(),
  /** True if no request was sent, because the provider is paused after failures. */
  not_sent: z.literal(true).optional(),
  status: z.int().optional(),
  retry_after_seconds: z.number().optional(),
});

/** File, or entry of a shared file, that several artifacts claim or that the user has. */
const clash = z.strictObject({
  path: z.string(),
  existing: z.string(),
  incoming: z.string(),
});

const lockDifference = z.strictObject({
  target: z.string(),
  id: z.string(),
  locked: z.string(),
  available: z.string(),
});

/** Artifacts that an HTTP registry rewrote or downgraded after the lock was written (SPEC-84). */
const unexpectedChanges = z.strictObject({
  directory: z.string(),
  registry: z.string(),
  changes: z.array(
    z.strictObject({
      kind: z.enum(['rewritten', 'downgrade']),
      id: z.string(),
      layer: z.string(),
      locked: z.string(),
      locked_hash: z.string(),
      available: z.string(),
      available_hash: z.string(),
      /** Status of the locked version; present after a downgrade, if the registry was queried. */
      locked_status: z
        .enum(['listed', 'deprecated', 'rolled_back', 'withdrawn', 'absent', 'unknown'])
        .optional(),
    }),
  ),
});

/**
 * Details of each error code. Unknown keys are a bug in catalog. Keys that the specification does not require are
 * optional.
 */
export const errorDetails = {
  'auth.untrusted_runtime': z.strictObject({ runtime_iss: z.string().optional() }),
  'auth.untrusted_token': z.strictObject({ token_iss: z.string().optional() }),
  'auth.tenant_unknown': z.strictObject({ token_org_id: z.string().optional() }),
  'auth.token_expired': nothing,
  'auth.forbidden': z.strictObject({
    constraint: z.enum(['local_source', 'admin_only_fields']).optional(),
  }),
  'auth.csrf_invalid': nothing,
  'auth.exchange_failed': nothing,
  'auth.sign_in_pending': z.strictObject({
    registry: z.string(),
    issuer: z.string(),
    audience: z.string().optional(),
    verification_uri: z.string(),
    verification_uri_complete: z.string().optional(),
    user_code: z.string(),
  }),
  'auth.identity_changed': z.strictObject({
    directory: z.string(),
    registry: z.string(),
    removed: z.array(z.string()),
  }),
  'config.no_registry': z.strictObject({ registry: z.string().optional() }),
  'config.public_mode_with_idp': nothing,
  'config.public_bind_refused': z.strictObject({ bind: z.string().optional() }),
  'config.web_ui_public_bind_refused': z.strictObject({ bind: z.string().optional() }),
  'config.web_ui_auth_unconfigured': setting,
  'config.invalid_issuer_scheme': setting,
  'config.oidc_jwt_audience_unset': nothing,
  'config.injected_token_audience_unset': nothing,
  'config.runtime_keys_unavailable': setting,
  'config.unknown_harness': z.strictObject({
    harness: z.string(),
    available: z.array(z.string()),
    did_you_mean: z.string().optional(),
  }),
  'config.invalid': z.strictObject({
    ...setting.shape,
    path: z.string().optional(),
    missing: z.array(z.string()).optional(),
    available: z.array(z.string()).optional(),
    layers: z.array(z.string()).optional(),
    profiles: z.array(z.string()).optional(),
    fields: z.array(z.string()).optional(),
    target: z.string().optional(),
    profile: z.string().optional(),
    overlay: z.string().optional(),
    registry: z.string().optional(),
  }),
  'config.untrusted': z.strictObject({
    file: z.string(),
    /** Requested permissions: running commands, loading code, or writing outside the workspace. */
    wants: z.array(z.string()),
    changed: z.boolean(),
  }),
  'config.unsafe_workspace': z.strictObject({
    path: z.string(),
    /** Id of the user who owns the file; absent if it is the user's own and others can change it. */
    owner: z.int().optional(),
  }),
  'config.trusted_headers_public_bind': z.strictObject({ bind: z.string().optional() }),
  'config.trusted_headers_multitenant_no_secret': nothing,
  'config.identity_provider_unverified': setting,
  'config.scope_preview_disabled': nothing,
  'config.not_found': z.strictObject({ path: z.string() }),
  'config.invalid_sign_mode': setting,
  'config.layer_path_ambiguous': z.strictObject({ path: z.string(), found: z.array(z.string()) }),
  'config.server_version_too_old': z.strictObject({
    min_server_version: z.string(),
    version: z.string(),
  }),
  'config.invalid_min_version': z.strictObject({ min_server_version: z.string() }),
  'config.signature_provider_unavailable': setting,
  'config.filesystem_registry_unsupported': z.strictObject({ registry: z.string().optional() }),
  'config.usage': z.strictObject({
    command: z.string().optional(),
    argument: z.string().optional(),
    did_you_mean: z.string().optional(),
  }),
  'domain.not_found': z.strictObject({ path: z.string().optional() }),
  'ingest.lint_failed': z.strictObject({
    errors: z.int().optional(),
    warnings: z.int().optional(),
    /** Lint failures of a reingest without any other result (SPEC-19). */
    lint_failures: z.array(ingestRemark).optional(),
  }),
  'ingest.history_rewritten': z.strictObject({
    layer: z.string().optional(),
    prior_ref: z.string().optional(),
    new_ref: z.string().optional(),
  }),
  'ingest.webhook_invalid': z.strictObject({ layer: z.string().optional() }),
  'ingest.immutable_violation': rejectedArtifact.extend({
    /** Conflicts of a reingest without any other result (SPEC-19). */
    conflicts: z.array(ingestConflict).optional(),
  }),
  'ingest.frozen': z.strictObject({
    window: z.string().optional(),
    end: z.string().optional(),
    layer: z.string().optional(),
    /** Commit that was read; `*` for a directory. */
    reference: z.string().optional(),
    /** Unmet condition of break-glass. */
    constraint: z.enum(['two_admins', 'approvals', 'moved_head']).optional(),
  }),
  'ingest.source_unreachable': z.strictObject({
    layer: z.string().optional(),
    path: z.string().optional(),
    /** Reason, for some problems. After `unresponsive_host`, the registry retries. */
    reason: z.enum(['unresponsive_host', ...PUBLIC_SOURCE_REASONS]).optional(),
  }),
  'ingest.public_mode_rejects_sensitive': rejectedArtifact,
  'ingest.sandbox_profile_unenforceable': rejectedArtifact,
  'ingest.invalid_artifact': rejectedArtifact,
  'ingest.collision': rejectedArtifact,
  'ingest.sign_failed': rejectedArtifact,
  'ingest.resource_store_failed': rejectedArtifact,
  'materialize.signature_invalid': z.strictObject({ ...artifact, reason: z.string() }),
  'materialize.signature_missing': z.strictObject({ ...artifact, reason: z.string() }),
  'materialize.runtime_unavailable': z.strictObject({
    ...artifact,
    missing: z.array(z.string()).optional(),
  }),
  'materialize.content_hash_mismatch': z.strictObject({
    ...artifact,
    expected: z.string().optional(),
    received: z.string().optional(),
  }),
  'materialize.hook_failed': z.strictObject({ ...artifact, hook: z.string().optional() }),
  'materialize.sandbox_violation': z.strictObject({ ...artifact, hook: z.string().optional() }),
  'materialize.untranslatable': z.strictObject({
    harness: z.string(),
    unsupported: z.array(
      z.strictObject({
        artifact_id: z.string(),
        harness: z.string().optional(),
        /** Unsupported features of the capability matrix; empty for other reasons. */
        capabilities: z.array(z.string()),
        reason: z.string(),
      }),
    ),
  }),
  'materialize.degraded': z.strictObject({
    degraded: z.array(
      z.strictObject({
        artifact_id: z.string(),
        harness: z.string(),
        capability: z.string(),
        reason: z.string(),
      }),
    ),
  }),
  'materialize.fetch_failed': z.strictObject({ ...artifact, path: z.string().optional() }),
  'materialize.sandbox_unsupported': z.strictObject({
    ...artifact,
    profile: z.string().optional(),
  }),
  'materialize.invalid_base64': z.strictObject({ ...artifact, path: z.string().optional() }),
  'materialize.consent_required': z.strictObject({
    directory: z.string().optional(),
    harnesses: z.array(z.string()).optional(),
    writes: z.array(z.string()).optional(),
    edits: z.array(z.string()).optional(),
    artifacts: z.array(executableArtifact).optional(),
  }),
  'materialize.policy_denied': z.strictObject({
    artifacts: z.array(
      z.strictObject({
        artifact_id: z.string(),
        source: z.string(),
        capabilities: z.array(z.string()),
      }),
    ),
  }),
  'materialize.clash': z.strictObject({
    directory: z.string().optional(),
    clashes: z.array(clash),
  }),
  'materialize.target_invalid': z.strictObject({
    directory: z.string().optional(),
    path: z.string(),
    line: z.int().positive().optional(),
    column: z.int().positive().optional(),
  }),
  'materialize.target_unwritable': z.strictObject({
    directory: z.string(),
    reason: z.string(),
  }),
  'materialize.locked': z.strictObject({ directory: z.string(), holder: z.string() }),
  'materialize.lock_mismatch': z.strictObject({
    directory: z.string(),
    differences: z.array(lockDifference).readonly(),
  }),
  'materialize.removal_refused': z.strictObject({
    directory: z.string(),
    removed: z.array(z.string()),
    managed: z.int(),
    /** Harnesses in the lock that `--harness` does not list. */
    harnesses: z.array(z.string()).optional(),
  }),
  'materialize.lock_missing': z.strictObject({ directory: z.string(), files: z.int() }),
  'materialize.artifact_rejected': z.strictObject({
    artifacts: z.array(
      z.strictObject({
        artifact_id: z.string(),
        reason: z.string(),
        /** True if the installed copy stays in place. */
        kept: z.boolean(),
      }),
    ),
  }),
  'materialize.content_changed': unexpectedChanges,
  'materialize.downgrade_refused': unexpectedChanges,
  'materialize.would_change': z.strictObject({ changes: z.int() }),
  'materialize.publish_failed': z.strictObject({
    targets: z.array(z.string()),
    /** Failed step: `prepare`, `publish` or `git`. */
    step: z.string().optional(),
    command: z.string().optional(),
    output: z.string().optional(),
  }),
  'mcp.unsupported_version': z.strictObject({
    offered: z.array(z.string()).optional(),
    supported: z.array(z.string()).optional(),
  }),
  'mcp.client_too_old': z.strictObject({
    version: z.string().optional(),
    minimum: z.string().optional(),
  }),
  'network.registry_unreachable': z.strictObject({ registry: z.string().optional() }),
  'network.offline_cache_miss': z.strictObject(artifact),
  'quota.storage_exceeded': limit,
  'quota.search_qps_exceeded': limit,
  'quota.materialize_rate_exceeded': limit,
  'quota.source_test_rate_exceeded': limit,
  'quota.event_streams_exceeded': limit,
  'quota.audit_volume_exceeded': limit,
  'quota.layer_count_exceeded': limit,
  'quota.artifact_count_exceeded': limit,
  'registry.read_only': nothing,
  'registry.tenant_management_unavailable': nothing,
  'registry.invalid_argument': z.strictObject({
    argument: z.string().optional(),
    constraint: z.string().optional(),
    fields: z.array(z.string()).optional(),
    allow: z.array(z.string()).optional(),
  }),
  'registry.method_not_allowed': z.strictObject({ allow: z.array(z.string()).optional() }),
  'registry.not_found': record,
  'registry.tenant_not_found': record,
  'registry.unavailable': z.strictObject({
    request_id: z.string().optional(),
    /** Delay before a retry, if the keys of the issuer are unavailable; the status is then 503. */
    retry_after_seconds: z.number().optional(),
  }),
  'registry.embedding_failed': embedding,
  'registry.embedding_refused': embedding,
  'registry.unknown': z.strictObject({ request_id: z.string().optional() }),
  'visibility.denied': record,
} as const satisfies Record<ErrorCode, z.ZodObject>;

export type ErrorDetails<Code extends ErrorCode> = z.infer<(typeof errorDetails)[Code]>;
