/** What every code of the catalogue states about itself. */
export interface ErrorRow {
  /** The HTTP status; null for a code that no HTTP answer carries. */
  status: number | null;
  /** Whether the same request may succeed later without anyone changing anything. */
  retryable: boolean;
  /** What a person does next, in one sentence. */
  suggested_action: string;
  /** The process exit: 1 failure or findings, 2 usage or configuration, 3 transient, 4 authentication. */
  exit: 1 | 2 | 3 | 4;
  /** The specification leaves the status open; SPEC-17 fixes it. */
  assumed: boolean;
  /** The code is not in the specification. */
  addition: boolean;
  /** When it is raised, in one sentence. */
  summary: string;
}

/**
 * Every error code, once. The envelope, the HTTP status, the exit of the command line and
 * `docs/reference/errors.md` are derived from this table. It imports nothing, because every start
 * of the program loads it.
 */
export const errorCatalogue = {
  'auth.untrusted_runtime': {
    status: 401,
    retryable: false,
    suggested_action: "Ask the operator to add the runtime's public key to the trusted key file.",
    exit: 4,
    assumed: true,
    addition: false,
    summary: 'The session token was signed by a runtime whose key the registry does not trust.',
  },
  'auth.untrusted_token': {
    status: 401,
    retryable: false,
    suggested_action:
      "Sign in again. If the error persists, compare the token's issuer and audience with those the registry accepts.",
    exit: 4,
    assumed: true,
    addition: false,
    summary: "The token's signature, issuer, audience, or subject claim is not valid.",
  },
  'auth.tenant_unknown': {
    status: 401,
    retryable: false,
    suggested_action:
      'Sign in to an organization this registry serves, or ask its operator to create the tenant.',
    exit: 4,
    assumed: true,
    addition: false,
    summary: "The caller's organization is not a tenant of this registry.",
  },
  'auth.token_expired': {
    status: 401,
    retryable: false,
    suggested_action: 'Sign in again with `catalog login`.',
    exit: 4,
    assumed: true,
    addition: false,
    summary: 'The token has expired.',
  },
  'auth.forbidden': {
    status: 403,
    retryable: false,
    suggested_action: 'Ask a user who holds the role to do this, or to grant the role to you.',
    exit: 4,
    assumed: false,
    addition: false,
    summary: 'The caller is authenticated but lacks the role or ownership this operation requires.',
  },
  'auth.csrf_invalid': {
    status: 403,
    retryable: false,
    suggested_action: "Start again from the registry's own page.",
    exit: 4,
    assumed: false,
    addition: false,
    summary:
      'A browser sent a state-changing request from another site, or a sign-in callback had no matching transaction.',
  },
  'auth.exchange_failed': {
    status: 502,
    retryable: false,
    suggested_action:
      'Start the sign-in again. If the error persists, check the client registration at the identity provider.',
    exit: 4,
    assumed: false,
    addition: false,
    summary: 'The identity provider refused to exchange the authorization code.',
  },
  'auth.sign_in_pending': {
    status: null,
    retryable: false,
    suggested_action:
      'Open the URL, confirm the code, and call again; or run `catalog login` first.',
    exit: 4,
    assumed: false,
    addition: true,
    summary: 'A user must first confirm a sign-in in a browser.',
  },
  'auth.identity_changed': {
    status: null,
    retryable: false,
    suggested_action:
      'Sign in with `catalog login`, or set CATALOG_TOKEN, as the user who synced last. To remove the files the current user cannot see, run `catalog sync --accept-identity`.',
    exit: 4,
    assumed: false,
    addition: true,
    summary:
      'A sync would remove files because the caller is not the user of the last sync, or is no longer signed in.',
  },
  'config.no_registry': {
    status: null,
    retryable: false,
    suggested_action:
      'Run `catalog init --registry <path-or-url>`, pass `--registry`, or set CATALOG_REGISTRY.',
    exit: 2,
    assumed: false,
    addition: false,
    summary:
      'No registry is configured by a flag, an environment variable, or a configuration file.',
  },
  'config.public_mode_with_idp': {
    status: null,
    retryable: false,
    suggested_action: 'Turn public mode off, or remove the identity provider.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'Public mode and an identity provider are both configured.',
  },
  'config.public_bind_refused': {
    status: null,
    retryable: false,
    suggested_action:
      'Bind to a loopback address, configure an identity provider, or pass `--allow-public-bind` and set `open_writes`.',
    exit: 2,
    assumed: false,
    addition: false,
    summary:
      'The registry would let unauthenticated callers in from beyond this machine, and the configuration does not permit that.',
  },
  'config.web_ui_public_bind_refused': {
    status: null,
    retryable: false,
    suggested_action:
      'Configure an identity provider and pass `--web-ui-allow-public-bind`, or bind to a loopback address.',
    exit: 2,
    assumed: false,
    addition: false,
    summary:
      'The web UI would listen beyond this machine without explicit permission or without an identity provider.',
  },
  'config.web_ui_auth_unconfigured': {
    status: null,
    retryable: false,
    suggested_action: 'Provide the setting named in the message, or turn browser sign-in off.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'Browser sign-in is enabled, but a required setting is missing.',
  },
  'config.invalid_issuer_scheme': {
    status: null,
    retryable: false,
    suggested_action:
      "Set the issuer to its https URL, exactly as spelled in the provider's discovery document.",
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'The issuer of the `oidc-jwt` provider is not an https URL.',
  },
  'config.oidc_jwt_audience_unset': {
    status: null,
    retryable: false,
    suggested_action:
      'Set CATALOG_OAUTH_AUDIENCE or `identity_provider.audience` to the audience of your tokens.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'No audience is configured for the `oidc-jwt` provider.',
  },
  'config.injected_token_audience_unset': {
    status: null,
    retryable: false,
    suggested_action:
      'Set CATALOG_OAUTH_AUDIENCE or `identity_provider.audience` to the audience that the runtime sets in its tokens.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'No audience is configured for the `injected-session-token` provider.',
  },
  'config.runtime_keys_unavailable': {
    status: null,
    retryable: false,
    suggested_action:
      'Create the key file with `catalog admin runtime register --keys-file <file>` and set CATALOG_RUNTIME_KEYS_PATH to its path.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'The trusted runtime key file is not configured, contains no key, or cannot be read.',
  },
  'config.unknown_harness': {
    status: null,
    retryable: false,
    suggested_action: 'Choose a harness that `catalog harness list` prints.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'No adapter exists for the given harness.',
  },
  'config.invalid': {
    status: null,
    retryable: false,
    suggested_action: 'Fix the key named in the message.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'A configuration file, or a combination of its settings, is not valid.',
  },
  'config.untrusted': {
    status: null,
    retryable: false,
    suggested_action: 'Review the file. If you trust it, run the command again with `--trust`.',
    exit: 2,
    assumed: false,
    addition: true,
    summary:
      'A configuration file runs code or writes outside its workspace, and the user has not trusted its current content.',
  },
  'config.unsafe_workspace': {
    status: null,
    retryable: false,
    suggested_action:
      'If you trust the owner of the workspace, add its directory to `safe_directories` in ~/.catalog/sync.yaml.',
    exit: 2,
    assumed: false,
    addition: true,
    summary:
      'The `.catalog` directory of the workspace belongs to another user, or another user can change the one in the home directory.',
  },
  'config.trusted_headers_public_bind': {
    status: null,
    retryable: false,
    suggested_action:
      'Set CATALOG_TRUSTED_PROXY_SECRET, bind to a loopback address, or pass `--allow-public-bind`.',
    exit: 2,
    assumed: false,
    addition: false,
    summary:
      'The registry would trust identity headers from any machine, because no proxy secret is configured.',
  },
  'config.trusted_headers_multitenant_no_secret': {
    status: null,
    retryable: false,
    suggested_action: 'Set CATALOG_TRUSTED_PROXY_SECRET for the registry and in the proxy.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'A multi-tenant registry trusts identity headers, but no proxy secret is configured.',
  },
  'config.identity_provider_unverified': {
    status: null,
    retryable: false,
    suggested_action:
      'Select `injected-session-token`, `oidc-jwt` or `trusted-headers` for the registry.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'The selected identity provider cannot authenticate requests.',
  },
  'config.scope_preview_disabled': {
    status: 403,
    retryable: false,
    suggested_action: 'Ask the operator to set `expose_scope_preview` for this tenant.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'Scope previews are disabled for this tenant.',
  },
  'config.not_found': {
    status: null,
    retryable: false,
    suggested_action: 'Check the path, or create the file with `catalog init`.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'The given configuration file does not exist.',
  },
  'config.invalid_sign_mode': {
    status: null,
    retryable: false,
    suggested_action: 'Set CATALOG_SIGN or `--sign` to `registry-key`, or leave it out.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'The signing mode is unknown.',
  },
  'config.layer_path_ambiguous': {
    status: null,
    retryable: false,
    suggested_action:
      'Move the manifests into a layer directory, or set `multi_layer: false` in `.registry-config`.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'A directory declares several layers and also has manifests at its top level.',
  },
  'config.server_version_too_old': {
    status: null,
    retryable: false,
    suggested_action: 'Upgrade catalog to at least the version the configuration requires.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'The configuration requires a newer release than the one running.',
  },
  'config.invalid_min_version': {
    status: null,
    retryable: false,
    suggested_action: 'Write `min_server_version` as `major.minor.patch`.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'A version to compare is not a semantic version.',
  },
  'config.signature_provider_unavailable': {
    status: null,
    retryable: false,
    suggested_action: 'Configure the signature provider, or select another one.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'The selected signature provider is not configured.',
  },
  'config.filesystem_registry_unsupported': {
    status: null,
    retryable: false,
    suggested_action:
      'Set the registry to an http or https URL, or deliver the directory with `catalog sync`.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'The MCP server needs the URL of a running registry but was given a directory.',
  },
  'config.usage': {
    status: null,
    retryable: false,
    suggested_action: 'Run the command with `--help`.',
    exit: 2,
    assumed: false,
    addition: true,
    summary: 'The command line is not valid.',
  },
  'domain.not_found': {
    status: 404,
    retryable: false,
    suggested_action: 'Check the path, or start from the root of the domain map.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'No domain with this path is visible to the caller.',
  },
  'ingest.lint_failed': {
    status: 422,
    retryable: false,
    suggested_action: 'Run `catalog lint` on the source and fix the reported errors.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'The artifact was rejected because lint found an error in its manifest.',
  },
  'ingest.history_rewritten': {
    status: 409,
    retryable: false,
    suggested_action:
      "Restore the lost history, or set the layer's force-push policy to `tolerant` and ingest again.",
    exit: 1,
    assumed: true,
    addition: false,
    summary:
      "The tracked ref no longer contains the ingested commit, and the layer's force-push policy is `strict`.",
  },
  'ingest.webhook_invalid': {
    status: 401,
    retryable: false,
    suggested_action:
      "Compare the webhook secret at the git host with the layer's, or rotate the layer's secret and update the git host.",
    exit: 4,
    assumed: true,
    addition: false,
    summary: "The signature of a webhook delivery does not match the layer's secret.",
  },
  'ingest.immutable_violation': {
    status: 409,
    retryable: false,
    suggested_action: 'Increase `version` in the manifest and publish again.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'The content changed, but its version is already published.',
  },
  'ingest.frozen': {
    status: 409,
    retryable: false,
    suggested_action:
      'Wait for the freeze window to end, or break glass with two approvals and a justification.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'A freeze window blocks ingests.',
  },
  'ingest.source_unreachable': {
    status: 502,
    retryable: false,
    suggested_action:
      'Make the source readable at the location named in the message, then run again.',
    exit: 1,
    assumed: true,
    addition: false,
    summary:
      'A layer source, or a file it needs, could not be read. Content that was already ingested stays available.',
  },
  'ingest.public_mode_rejects_sensitive': {
    status: 422,
    retryable: false,
    suggested_action:
      'Lower the sensitivity if appropriate, or publish to a registry that is not in public mode.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'A registry in public mode rejects artifacts of medium or high sensitivity.',
  },
  'ingest.sandbox_profile_unenforceable': {
    status: 422,
    retryable: false,
    suggested_action: 'Choose a sandbox profile the host offers, or extend CATALOG_HOST_SANDBOXES.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'The artifact requires a sandbox profile that the host cannot enforce.',
  },
  'ingest.invalid_artifact': {
    status: 422,
    retryable: false,
    suggested_action: 'Fix the manifest, or its `extends`, at the location named in the message.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'The manifest cannot be parsed, or the artifact it extends cannot be used.',
  },
  'ingest.collision': {
    status: 409,
    retryable: false,
    suggested_action: 'Rename one of the two artifacts, or declare `extends` in this one.',
    exit: 1,
    assumed: true,
    addition: false,
    summary:
      'Another layer already has an artifact with this id, and the manifest does not extend it.',
  },
  'ingest.sign_failed': {
    status: 422,
    retryable: false,
    suggested_action: "Check the signer's key and log, then ingest again.",
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'The signer refused to sign the content hash.',
  },
  'ingest.resource_store_failed': {
    status: 422,
    retryable: false,
    suggested_action: 'Check the object store, then ingest again.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'A bundled file could not be stored, so the artifact was not committed.',
  },
  'materialize.signature_invalid': {
    status: null,
    retryable: false,
    suggested_action: 'Do not use the artifact. Report it to the owner of the registry.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'The signature does not match the content.',
  },
  'materialize.signature_missing': {
    status: null,
    retryable: false,
    suggested_action:
      'Have the registry sign the artifact, or relax `verify_signatures` if your policy allows it.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'The policy requires a signature, and the artifact is not signed.',
  },
  'materialize.runtime_unavailable': {
    status: null,
    retryable: false,
    suggested_action:
      'Install the missing requirements, or pass `--ignore-runtime` if you are preparing another machine.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'This machine lacks runtimes or system packages that the artifact requires.',
  },
  'materialize.content_hash_mismatch': {
    status: null,
    retryable: false,
    suggested_action:
      'Run again. If the error persists, a proxy or cache between you and the registry may be changing the content.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'The received bytes do not match the hash the registry announced.',
  },
  'materialize.hook_failed': {
    status: null,
    retryable: false,
    suggested_action: "Read the hook's error in the message and fix the hook.",
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'A materialization hook failed, so its artifact was not written.',
  },
  'materialize.sandbox_violation': {
    status: null,
    retryable: false,
    suggested_action: 'Inspect the hook. Widen its sandbox profile only if you trust what it does.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'A materialization hook attempted an action that its sandbox profile forbids.',
  },
  'materialize.untranslatable': {
    status: null,
    retryable: false,
    suggested_action:
      "List the supported harnesses under the artifact's `target_harnesses`, or skip such artifacts: set `defaults.unsupported: skip` in sync.yaml, or pass `--skip-unsupported` once.",
    exit: 1,
    assumed: false,
    addition: false,
    summary:
      'The harness does not support a type, rule mode, hook event, or field of a selected artifact.',
  },
  'materialize.degraded': {
    status: null,
    retryable: false,
    suggested_action:
      'Change the artifact, list the supported harnesses under its `target_harnesses`, or sync without `--strict`.',
    exit: 1,
    assumed: false,
    addition: true,
    summary:
      'With `--strict`: a harness would load an artifact differently from how it was written.',
  },
  'materialize.consent_required': {
    status: null,
    retryable: false,
    suggested_action:
      'Preview the changes with `--dry-run`, then run again with `--yes` or `--approve <id>`, or confirm the prompt in a terminal.',
    exit: 1,
    assumed: false,
    addition: true,
    summary:
      "The first sync into the home directory, or an artifact's executable content, was not approved.",
  },
  'materialize.policy_denied': {
    status: null,
    retryable: false,
    suggested_action:
      'Exclude the artifact, or ask the owner of the policy to change `executable_content`.',
    exit: 1,
    assumed: false,
    addition: true,
    summary: "A policy denies an artifact's executable content, so the artifact was left out.",
  },
  'materialize.fetch_failed': {
    status: null,
    retryable: true,
    suggested_action: 'Run again: the download URL may have expired.',
    exit: 3,
    assumed: false,
    addition: true,
    summary: 'A large file could not be downloaded from the URL the registry returned.',
  },
  'materialize.sandbox_unsupported': {
    status: null,
    retryable: false,
    suggested_action: 'Use a host that offers the sandbox profile, or choose another profile.',
    exit: 1,
    assumed: false,
    addition: true,
    summary: 'This host cannot enforce the requested sandbox profile.',
  },
  'materialize.invalid_base64': {
    status: null,
    retryable: false,
    suggested_action: 'Run again. If the error persists, report it to the owner of the registry.',
    exit: 1,
    assumed: false,
    addition: true,
    summary: 'A file announced as base64 is not valid base64.',
  },
  'materialize.clash': {
    status: null,
    retryable: false,
    suggested_action:
      'Move or rename one of the files, or set `on_clash: qualify` if two artifacts share a name.',
    exit: 1,
    assumed: false,
    addition: true,
    summary:
      'A file to be written already exists and is not managed by catalog, or two artifacts write to the same path.',
  },
  'materialize.target_invalid': {
    status: null,
    retryable: false,
    suggested_action: 'Fix or move the file named in the message, then run again.',
    exit: 1,
    assumed: false,
    addition: true,
    summary:
      'A file in the target cannot be merged, or a path leads outside the target or into version control.',
  },
  'materialize.target_unwritable': {
    status: null,
    retryable: false,
    suggested_action:
      'Free disk space or fix the permissions, then sync again. The next sync repairs an incomplete one.',
    exit: 1,
    assumed: false,
    addition: true,
    summary:
      'The target cannot be written: the disk is full or read-only, or permission is missing.',
  },
  'materialize.locked': {
    status: null,
    retryable: true,
    suggested_action: 'Wait for the other sync to finish, then run again.',
    exit: 3,
    assumed: false,
    addition: true,
    summary: 'Another sync is writing to the same target.',
  },
  'materialize.lock_mismatch': {
    status: null,
    retryable: false,
    suggested_action:
      'Run `catalog sync` without `--locked`, review the change, and commit the lock.',
    exit: 1,
    assumed: false,
    addition: true,
    summary: "The registry's content does not match the lock, and `--locked` allows no changes.",
  },
  'materialize.removal_refused': {
    status: null,
    retryable: false,
    suggested_action:
      'Check that the registry is the right one and complete. To remove the files, run `catalog sync --allow-removal`.',
    exit: 1,
    assumed: false,
    addition: true,
    summary:
      'A sync would remove most or all managed files, or files of a harness that was not named, without confirmation.',
  },
  'materialize.lock_missing': {
    status: null,
    retryable: false,
    suggested_action:
      'Restore .catalog/sync.lock from version control, or run `catalog sync --recover` to rebuild it.',
    exit: 1,
    assumed: false,
    addition: true,
    summary: 'The lock is missing, but managed files still exist.',
  },
  'materialize.artifact_rejected': {
    status: null,
    retryable: false,
    suggested_action: 'Fix these files, then sync again. `catalog lint` explains each problem.',
    exit: 1,
    assumed: false,
    addition: true,
    summary:
      'Some artifacts of the registry cannot be read or fail lint. Their installed files stay in place.',
  },
  'materialize.content_changed': {
    status: null,
    retryable: false,
    suggested_action:
      'Ask the owner of the registry why published content changed. To accept it, pass `--accept-changed <id>` to `catalog sync` or `catalog update`.',
    exit: 1,
    assumed: false,
    addition: true,
    summary: 'The registry returns different content for a version recorded in the lock.',
  },
  'materialize.downgrade_refused': {
    status: null,
    retryable: false,
    suggested_action:
      'If the lower version is intended, pass `--allow-downgrade` to `catalog sync` or `catalog update`.',
    exit: 1,
    assumed: false,
    addition: true,
    summary:
      'The registry offers a lower version than the lock records, and the locked version is neither deprecated nor withdrawn.',
  },
  'materialize.would_change': {
    status: null,
    retryable: false,
    suggested_action: 'Run `catalog sync` to apply the changes.',
    exit: 1,
    assumed: false,
    addition: true,
    summary: 'With `--check`: a sync would change the target.',
  },
  'materialize.publish_failed': {
    status: null,
    retryable: false,
    suggested_action: 'Fix the problem named above, then run `catalog sync --config` again.',
    exit: 1,
    assumed: false,
    addition: true,
    summary: "A marketplace's command or push failed.",
  },
  'mcp.unsupported_version': {
    status: null,
    retryable: false,
    suggested_action: 'Update the MCP host or catalog, whichever is older.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'The MCP host and the MCP server have no protocol version in common.',
  },
  'mcp.client_too_old': {
    status: null,
    retryable: false,
    suggested_action: 'Update the MCP host.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'The MCP host is older than the minimum version.',
  },
  'network.registry_unreachable': {
    status: null,
    retryable: true,
    suggested_action: 'Check the network and the registry URL, then try again.',
    exit: 3,
    assumed: false,
    addition: false,
    summary: 'The registry did not respond, and the cache mode has no fallback.',
  },
  'network.offline_cache_miss': {
    status: null,
    retryable: false,
    suggested_action: 'Go online once to cache the item, or choose another CATALOG_CACHE_MODE.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'The cache mode forbids contacting the registry, and the item is not cached.',
  },
  'quota.storage_exceeded': {
    status: 429,
    retryable: false,
    suggested_action:
      'Remove artifacts that are no longer needed, or ask the operator for more storage.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: "The ingest would exceed the tenant's storage quota.",
  },
  'quota.search_qps_exceeded': {
    status: 429,
    retryable: true,
    suggested_action: 'Wait for the time in `Retry-After`, then search again.',
    exit: 3,
    assumed: true,
    addition: false,
    summary: 'The tenant exceeded its search rate limit.',
  },
  'quota.materialize_rate_exceeded': {
    status: 429,
    retryable: true,
    suggested_action: 'Wait for the time in `Retry-After`, then load again.',
    exit: 3,
    assumed: true,
    addition: false,
    summary: 'The tenant exceeded its load rate limit.',
  },
  'quota.source_test_rate_exceeded': {
    status: 429,
    retryable: true,
    suggested_action: 'Wait for the time in `Retry-After`, then test the source again.',
    exit: 3,
    assumed: true,
    addition: true,
    summary: 'The tenant exceeded its rate limit for tests of layer sources.',
  },
  'quota.event_streams_exceeded': {
    status: 429,
    retryable: true,
    suggested_action: 'Close a stream that is not used, or ask the operator for a higher limit.',
    exit: 3,
    assumed: true,
    addition: true,
    summary:
      'The caller, its client address or the process has the maximum number of open event streams.',
  },
  'quota.audit_volume_exceeded': {
    status: 429,
    retryable: false,
    suggested_action: 'Wait until tomorrow, or ask the operator for a larger quota.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'The tenant exceeded its audit volume for today.',
  },
  'quota.layer_count_exceeded': {
    status: 429,
    retryable: false,
    suggested_action:
      'Register the content under one of your existing or unregistered layer ids, or ask the operator to raise the limit. An unregistered layer counts until it can no longer be restored.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'The caller has reached the limit of personal layers, so none was created.',
  },
  'quota.artifact_count_exceeded': {
    status: 429,
    retryable: false,
    suggested_action:
      'Withdraw artifacts that are no longer needed, or ask the operator for a larger quota.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: "The artifact was rejected because it would exceed the tenant's artifact quota.",
  },
  'registry.read_only': {
    status: 503,
    retryable: true,
    suggested_action: 'Try again when the registry reports `ready`. Reads still work.',
    exit: 3,
    assumed: true,
    addition: false,
    summary: 'The primary store is unreachable, so the registry is read-only.',
  },
  'registry.tenant_management_unavailable': {
    status: 404,
    retryable: false,
    suggested_action: 'Use a multi-tenant registry; this one has a single tenant.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'A tenant endpoint was called on a registry with a single tenant.',
  },
  'registry.invalid_argument': {
    status: 400,
    retryable: false,
    suggested_action: 'Fix the argument named in the message.',
    exit: 2,
    assumed: false,
    addition: false,
    summary: 'An argument, the body, or the method of the request is not valid.',
  },
  'registry.method_not_allowed': {
    status: 405,
    retryable: false,
    suggested_action: 'Use GET or HEAD.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'Artifacts can be loaded only with GET or HEAD.',
  },
  'registry.not_found': {
    status: 404,
    retryable: false,
    suggested_action:
      'Check the identifier. Hidden resources return the same response as missing ones.',
    exit: 1,
    assumed: false,
    addition: false,
    summary:
      'The artifact, layer, receiver, object, or record does not exist or is not visible to the caller.',
  },
  'registry.tenant_not_found': {
    status: 404,
    retryable: false,
    suggested_action: 'List the tenants and use one of their ids.',
    exit: 1,
    assumed: false,
    addition: false,
    summary: 'No tenant has this id.',
  },
  'registry.unavailable': {
    status: 500,
    retryable: true,
    suggested_action:
      'Try again shortly. If the error persists, the operator can find the cause in the log by the request id.',
    exit: 3,
    assumed: false,
    addition: false,
    summary:
      'A store or another service that the registry depends on failed. The status is 503, with `Retry-After`, if only the keys of the issuer are missing.',
  },
  'registry.embedding_failed': {
    status: null,
    retryable: true,
    suggested_action:
      'No action is needed: the registry retries. If the error persists, check the provider and the log.',
    exit: 3,
    assumed: false,
    addition: true,
    summary: 'The embedding provider timed out or did not return the requested embeddings.',
  },
  'registry.embedding_refused': {
    status: null,
    retryable: false,
    suggested_action: 'Fix the embedding provider setting named in the message.',
    exit: 1,
    assumed: false,
    addition: true,
    summary: 'The embedding provider rejected the API key, the model, or the input.',
  },
  'registry.unknown': {
    status: 500,
    retryable: false,
    suggested_action: 'Report this error with its message; no further detail is known.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'An error without a specific code occurred.',
  },
  'visibility.denied': {
    status: 404,
    retryable: false,
    suggested_action: 'Check the identifier, or ask the owner of the layer for access.',
    exit: 1,
    assumed: true,
    addition: false,
    summary: 'The item does not exist or is not visible to the caller.',
  },
} as const satisfies Record<string, ErrorRow>;

/** A code of the catalogue, `<namespace>.<name>`. */
export type ErrorCode = keyof typeof errorCatalogue;

/** The namespaces the specification gives to codes; a plugin may bring its own (ERR-04). */
export const ERROR_NAMESPACES = [
  'auth',
  'config',
  'domain',
  'ingest',
  'materialize',
  'mcp',
  'network',
  'quota',
  'registry',
  'visibility',
] as const;
