import type { GitCredential } from '@catalog/core/ports/git-credential';
import type { ReachedLayer } from '@catalog/core/ports/layer-source';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { EgressRules, Resolve } from '../../egress/check-address.ts';

export interface GitTenants {
  nameOf(tenant: Tenant): Promise<string | undefined>;
  /** Returns true if the operator configured the source of the layer. */
  isDeclared(tenant: Tenant, layer: ReachedLayer): boolean;
}

export interface GitOptions {
  /** Directory of the local bare repositories, which can be fetched again at any time. */
  folder: string;
  search_path: string;
  egress: EgressRules;
  resolve: Resolve;
  credentials: readonly GitCredential[];
  /** Undefined on a registry with one tenant. */
  tenants?: GitTenants | undefined;
  /** Path of the SSH `known_hosts` file; if undefined, the file of the OS user applies. */
  known_hosts: string | undefined;
  limits: {
    /** Size limit for one layer and for one fetch. */
    bytes: number;
    files: number;
    /** Timeout of a fetch, including name resolution. */
    time_ms: number;
    personal_time_ms: number;
    probe_time_ms: number;
    connect_time_ms: number;
  };
}
