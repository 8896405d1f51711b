import type { GitCredential } from '@catalog/core/ports/git-credential';
import type { ReachedLayer } from '@catalog/core/ports/layer-source';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { EgressRules, Resolve } from '../../egress/check-address.ts';

export interface GitTenants {
  nameOf(tenant: Tenant): Promise<string | undefined>;
  /** Returns true if the operator's configuration declares the source of a layer. */
  isDeclared(tenant: Tenant, layer: ReachedLayer): boolean;
}

export interface GitOptions {
  /** The bare repositories in it can be fetched again at any time. */
  folder: string;
  search_path: string;
  egress: EgressRules;
  resolve: Resolve;
  credentials: readonly GitCredential[];
  /** Undefined on a registry with one tenant. */
  tenants?: GitTenants | undefined;
  /** Undefined uses the file of the account. */
  known_hosts: string | undefined;
  limits: {
    /** Applies to a layer and to a fetch. */
    bytes: number;
    files: number;
    /** Includes name resolution. */
    time_ms: number;
    personal_time_ms: number;
    probe_time_ms: number;
    connect_time_ms: number;
  };
}
