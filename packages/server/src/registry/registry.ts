import type { AnnouncedContentRule } from '@catalog/contract/records/discovery';
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
import type { Store } from '@catalog/core/ports/store';
import type { Tracing } from '@catalog/core/ports/tracing';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { ExtendsParents, TenantQuota, TenantRecord } from '@catalog/core/ports/tenants';
import type { RegistryCaches } from './caches.ts';
import type { EventStream } from './events/event-stream.ts';
import type { StreamPlaces } from './events/stream-places.ts';
import type { DeclaredSources } from './layers/declared-sources.ts';
import type { SearchPorts } from './search/search-ports.ts';
import type { WebhookPorts } from './webhooks/webhook-ports.ts';

/** What the use cases need to know of the configuration. */
export interface RegistrySettings {
  /** Anonymous service with a ceiling on sensitivity. */
  public_mode: boolean;
  /** No identity provider: callers are told apart by nothing. */
  open: boolean;
  /** Whether callers of such a registry may change layers and administration (SPEC-76). */
  open_writes: 'allow' | 'deny';
  /** Several tenants, told apart by the organization of the caller. */
  multi_tenant: boolean;
  /** Subjects who manage the tenants. */
  operators: ReadonlySet<string>;
  /** What a new tenant may use where nobody says otherwise. */
  default_quota: TenantQuota;
  /** Personal layers of one identity, where the deployment says so itself; goes before the tenant's own value. */
  max_user_layers: number | undefined;
  /** Artifacts the layers of a tenant may serve; zero is unlimited. */
  artifact_count_quota: number;
  /** Where others reach this registry, without a slash at the end (SPEC-61). */
  public_url: string;
  /** Whether the registry serves the web UI, to whose pages feeds can link. */
  has_web_ui: boolean;
  /** Refuse artifacts whose sandbox profile this host cannot honour; the profiles it can. */
  sandbox: { enforced: boolean; profiles: readonly SandboxProfile[] };
  /** Edits under an unchanged version become `+dev.<n>` (SPEC-51). */
  dev: boolean;
  discovery: DiscoverySettings & { allow_per_domain_overrides: boolean };
  expose_scope_preview: boolean;
  /** Policy for executable content that consumers apply in addition to their own. */
  executable_content: readonly AnnouncedContentRule[];
  /** Which layers a layer's artifacts may extend: any around it, or those all its readers see. */
  extends_parents: ExtendsParents;
  layer_recovery_days: number;
  /** Sizes past which lint complains of a file or an artifact; its own when absent. */
  lint_limits?: LintLimits;
}

/** The registry as its use cases see it: ports, a clock, names, settings. Nothing in it knows a protocol. */
export interface Registry {
  store: Store;
  objects: Objects;
  /** By source type; a layer names its own. */
  sources: Readonly<Record<'git' | 'local', LayerSource>>;
  /** What this machine keeps of git repositories. */
  copies: SourceCopies;
  quota: Quota;
  search: SearchPorts;
  webhooks: WebhookPorts;
  /** What is committed, for those who listen; closed before the connections are. */
  events: EventStream;
  stream_places: StreamPlaces;
  /** Fires, with the error to answer, when what somebody waits for will not happen in this process. */
  stopping: AbortSignal;
  now(): Date;
  /** A new identifier that cannot be guessed. */
  newId(): string;
  /** 32 random bytes in hex. */
  newSecret(): string;
  /** Undefined if no traces are recorded. */
  tracing: Tracing | undefined;
  settings: RegistrySettings;
  /** Sources named by the operator's configuration; filled when its layers are declared. */
  declared: DeclaredSources;
  capabilities: HarnessCapabilities;
  /** Extension types and what they check (MODE-07). */
  type_providers: ReadonlyMap<string, TypeProvider>;
  /** What plugins have against an artifact, with codes of their own (ERR-04). */
  checks: readonly ArtifactCheck[];
  /** What this process remembers of its reads. */
  caches: RegistryCaches;
  /** Whether the process is about to stop, so that load balancers send requests elsewhere. */
  isStopping(): boolean;
  /** Dependencies that were unavailable at the last check (SPEC-79). */
  listDegraded(): DegradablePart[];
}

/** One call: whose data, who asks, and how to find it again in the logs. */
export interface CallContext {
  tenant: Tenant;
  caller: Caller;
  /** The W3C trace id of the request, or a new one. */
  trace_id: string;
  signal: AbortSignal;
  /** The revision of the tenant that was read for this call; undefined where none was. */
  revision: number | undefined;
  /** The tenant under that revision. */
  record: TenantRecord | undefined;
}
