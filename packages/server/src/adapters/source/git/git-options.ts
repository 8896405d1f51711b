import type { GitCredential } from '@catalog/core/ports/git-credential';
import type { ReachedLayer } from '@catalog/core/ports/layer-source';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { EgressRules, Resolve } from '../../egress/check-address.ts';

/** Facts about tenants that decide what their layers may use. */
export interface GitTenants {
  /** Undefined if no tenant has this number. */
  nameOf(tenant: Tenant): Promise<string | undefined>;
  /** Returns true if the operator's configuration names the source of a layer. */
  isDeclared(tenant: Tenant, layer: ReachedLayer): boolean;
}

export interface GitOptions {
  /** Where the bare repositories are kept; everything in it can be fetched again. */
  folder: string;
  /** The folders programs are looked for in, as `PATH` has them. */
  search_path: string;
  egress: EgressRules;
  resolve: Resolve;
  credentials: readonly GitCredential[];
  /** Undefined on a registry with one tenant. */
  tenants?: GitTenants | undefined;
  /** The host keys ssh trusts; those of the account when undefined. */
  known_hosts: string | undefined;
  limits: {
    /** The most bytes a layer may hold, and a fetch may bring. */
    bytes: number;
    files: number;
    /** For one reading, from the name server to the last file. */
    time_ms: number;
    /** The same, for personal layers. */
    personal_time_ms: number;
    /** For the comparison of a ref. */
    probe_time_ms: number;
    /** For a TCP connection to a host. */
    connect_time_ms: number;
  };
}
