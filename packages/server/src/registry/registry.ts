import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
import type { FreezeWindow } from '@catalog/contract/records/freeze';
import type { DegradablePart } from '@catalog/contract/records/operations';
import type { DiscoverySettings } from '@catalog/core/domain/merge-domains';
import type { SandboxProfile } from '@catalog/core/artifact/types';
import type { ArtifactCheck } from '@catalog/core/ingest/decide-layer';
import type { Caller } from '@catalog/core/identity/caller';
import type { LintLimits, TypeProvider } from '@catalog/core/lint/context';
import type { HarnessCapabilities } from '@catalog/core/lint/lint-artifacts';
import type { LayerSource, SourceCopies } from '@catalog/core/ports/layer-source';
import type { Objects } from '@catalog/core/ports/objects';
import type { Quota } from '@catalog/core/ports/quota';
import type { Signer } from '@catalog/core/ports/signer';
import type { Store } from '@catalog/core/ports/store';
import type { Tracing } from '@catalog/core/ports/tracing';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { ExtendsParents, TenantQuota, TenantRecord } from '@catalog/core/ports/tenants';
import type { ReadLog } from './audit/read-log.ts';
import type { RegistryCaches } from './caches.ts';
import type { EventStream } from './events/event-stream.ts';
import type { StreamPlaces } from './events/stream-places.ts';
import type { DeclaredSources } from './layers/declared-sources.ts';
import type { SearchPorts } from './search/search-ports.ts';
import type { WebhookPorts } from './webhooks/webhook-ports.ts';

export interface RegistrySettings {
  public_mode: boolean;
  /** True if no identity provider is configured. */
  open: boolean;
  /** Whether unauthenticated callers may change layers and settings (SPEC-76). */
  open_writes: 'allow' | 'deny';
  multi_tenant: boolean;
  operators: ReadonlySet<string>;
  default_quota: TenantQuota;
  /** Overrides the limit of the tenant. */
  max_user_layers: number | undefined;
  artifact_count_quota: number;
  /** Public URL without a trailing slash (SPEC-61). */
  public_url: string;
  has_web_ui: boolean;
  /** If enforced, artifacts with a sandbox profile outside `profiles` are rejected. */
  sandbox: { enforced: boolean; profiles: readonly SandboxProfile[] };
  /** If true, a change without a new version gets the version suffix `+dev.<n>` (SPEC-51). */
  dev: boolean;
  discovery: DiscoverySettings & { allow_per_domain_overrides: boolean };
  expose_scope_preview: boolean;
  /** Policy for executable content, which consumers apply in addition to their own. */
  executable_content: readonly AnnouncedContentRule[];
  /** Layers whose artifacts can be extended: all surrounding ones, or only those that all readers see. */
  extends_parents: ExtendsParents;
  /** Windows of the configuration, which apply to every tenant. */
  freeze_windows: readonly FreezeWindow[];
  layer_recovery_days: number;
  /** 0 keeps records of reads forever. */
  read_retention_days: number;
  /** Size limits of lint warnings; if absent, those of lint apply. */
  lint_limits?: LintLimits;
}

/** A registry: ports, clock, ids and settings. Independent of any protocol. */
export interface Registry {
  store: Store;
  objects: Objects;
  sources: Readonly<Record<'git' | 'local', LayerSource>>;
  copies: SourceCopies;
  quota: Quota;
  search: SearchPorts;
  webhooks: WebhookPorts;
  /** Undefined if the registry does not sign. */
  signer: Signer | undefined;
  /** Event stream, which is closed before the connections. */
  events: EventStream;
  /** Reads that wait for their storage. */
  read_log: ReadLog;
  stream_places: StreamPlaces;
  /** Aborts, with the error to return, when this process can no longer complete work that callers await. */
  stopping: AbortSignal;
  now(): Date;
  newId(): string;
  newSecret(): string;
  tracing: Tracing | undefined;
  settings: RegistrySettings;
  /** Sources in the operator's configuration, filled when its layers are declared. */
  declared: DeclaredSources;
  capabilities: HarnessCapabilities;
  /** Extension types with their checks (MODE-07). */
  type_providers: ReadonlyMap<string, TypeProvider>;
  /** Checks of plugins, with their own error codes (ERR-04). */
  checks: readonly ArtifactCheck[];
  caches: RegistryCaches;
  /** Returns true during a shutdown, so that load balancers use other processes. */
  isStopping(): boolean;
  /** Lists unavailable dependencies, as of the last check (SPEC-79). */
  listDegraded(): DegradablePart[];
}

export interface CallContext {
  tenant: Tenant;
  caller: Caller;
  /** Trace id of the request, or a new one. */
  trace_id: string;
  signal: AbortSignal;
  revision: number | undefined;
  record: TenantRecord | undefined;
}
