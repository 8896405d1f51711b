import * as access from '@catalog/contract/endpoints/access';
import * as browser from '@catalog/contract/endpoints/browser';
import * as discovery from '@catalog/contract/endpoints/discovery';
import * as layers from '@catalog/contract/endpoints/layers';
import * as materialization from '@catalog/contract/endpoints/materialization';
import * as operations from '@catalog/contract/endpoints/operations';
import * as searchIndex from '@catalog/contract/endpoints/search-index';
import type { EventBody } from '@catalog/contract/events';
import type { CreateTenantBody, UpdateTenantBody } from '@catalog/contract/records/access';
import type { BatchLoadBody } from '@catalog/contract/records/artifact';
import type { RegisterLayerBody, UpdateLayerBody } from '@catalog/contract/records/layer';
import { call, callForNothing } from './call.ts';
import { openConnection, type ConnectionOptions } from './connection.ts';
import { openEvents, type EventFilter } from './event-stream.ts';
import { unreachable } from './unreachable.ts';

export interface SearchArtifactsInput {
  query?: string;
  type?: string;
  /** An artifact must carry all of them. */
  tags?: readonly string[];
  scope?: string;
  top_k?: number;
  session_id?: string;
  as_admin?: boolean;
  /** Tell for each result which words and what similarity put it there. */
  explain?: boolean;
}

export interface SearchDomainsInput {
  query?: string;
  scope?: string;
  top_k?: number;
  session_id?: string;
}

export interface LoadArtifactInput {
  id: string;
  /** A version, `1.2.x`, or a content hash; the latest when absent. */
  version?: string;
  session_id?: string;
  as_admin?: boolean;
}

export interface ReingestInput {
  id: string;
  /** False answers at once with the job. */
  wait?: boolean;
  break_glass?: boolean;
  justification?: string;
  approvers?: string[];
}

/** What to embed again; everything where nothing is said. */
export interface ReembedInput {
  artifact?: string;
  /** The version of `artifact`. */
  version?: string;
  /** Only what has no current vector. */
  only_missing?: boolean;
  /** Only what was ingested then or later, as `2026-11-01T00:00:00Z`. */
  since?: string;
  /** False answers at once with the job. */
  wait?: boolean;
}

export type RegistryClient = ReturnType<typeof openClient>;

/** A registry over HTTP: one method for each thing it can be asked. */
export function openClient(options: ConnectionOptions) {
  const connection = openConnection(options);
  return {
    /** The address, without a slash at the end. */
    registry: connection.registry,

    loadDomain: (
      query: { path?: string; depth?: number; session_id?: string },
      signal?: AbortSignal,
    ) => call(connection, discovery.loadDomain, { query }, signal),

    searchDomains: (query: SearchDomainsInput, signal?: AbortSignal) =>
      call(connection, discovery.searchDomains, { query: { ...query } }, signal),

    searchArtifacts: ({ tags, ...query }: SearchArtifactsInput, signal?: AbortSignal) =>
      call(
        connection,
        discovery.searchArtifacts,
        { query: { ...query, tags: tags?.join(',') } },
        signal,
      ),

    /** Ids and lean descriptors of everything visible below a path. */
    catalog: (query: { scope?: string }, signal?: AbortSignal) =>
      call(connection, discovery.catalog, { query }, signal),

    dependents: (query: { id: string }, signal?: AbortSignal) =>
      call(connection, discovery.dependents, { query }, signal),

    analyzeDomain: (query: { path: string }, signal?: AbortSignal) =>
      call(connection, discovery.analyzeDomain, { query }, signal),

    previewScope: (signal?: AbortSignal) => call(connection, discovery.previewScope, {}, signal),

    loadArtifact: (query: LoadArtifactInput, signal?: AbortSignal) =>
      call(connection, materialization.loadArtifact, { query: { ...query } }, signal),

    batchLoad: (body: BatchLoadBody, signal?: AbortSignal) =>
      call(connection, materialization.batchLoad, { body }, signal),

    /** Every version the visible layers keep of an artifact. */
    listVersions: (query: { id: string }, signal?: AbortSignal) =>
      call(connection, materialization.listVersions, { query }, signal),

    registerLayer: (body: RegisterLayerBody, signal?: AbortSignal) =>
      call(connection, layers.registerLayer, { body }, signal),

    listLayers: (query: { deleted?: boolean } = {}, signal?: AbortSignal) =>
      call(connection, layers.listLayers, { query }, signal),

    updateLayer: (id: string, body: UpdateLayerBody, signal?: AbortSignal) =>
      call(connection, layers.updateLayer, { query: { id }, body }, signal),

    unregisterLayer: (query: { id: string }, signal?: AbortSignal) =>
      call(connection, layers.unregisterLayer, { query }, signal),

    restoreLayer: (query: { id: string }, signal?: AbortSignal) =>
      call(connection, layers.restoreLayer, { query }, signal),

    reorderLayers: (order: string[], signal?: AbortSignal) =>
      call(connection, layers.reorderLayers, { body: { order } }, signal),

    /** The report, or the accepted job where `wait` is false. */
    reingestLayer: ({ id, wait, ...body }: ReingestInput, signal?: AbortSignal) =>
      call(connection, layers.reingestLayer, { query: { id, wait }, body }, signal),

    /** Past and running ingests, newest first. */
    listIngests: (query: { id?: string }, signal?: AbortSignal) =>
      call(connection, layers.listIngests, { query }, signal),

    getIngest: (job: string, signal?: AbortSignal) =>
      call(connection, layers.getIngest, { params: { job } }, signal),

    /** What came of it, or the job where `wait` is false. */
    reembed: (query: ReembedInput, signal?: AbortSignal) =>
      call(connection, searchIndex.reembed, { query: { ...query } }, signal),

    getReembed: (job: string, signal?: AbortSignal) =>
      call(connection, searchIndex.getReembed, { params: { job } }, signal),

    grantAdmin: (user_id: string, signal?: AbortSignal) =>
      call(connection, access.grantAdmin, { body: { user_id } }, signal),

    revokeAdmin: (user_id: string, signal?: AbortSignal) =>
      callForNothing(connection, access.revokeAdmin, { query: { user_id } }, signal),

    listAdmins: (signal?: AbortSignal) => call(connection, access.listAdmins, {}, signal),

    /** Which layers somebody sees, and why. */
    showEffective: (
      query: { user_id: string; group?: readonly string[]; email?: string },
      signal?: AbortSignal,
    ) => call(connection, access.showEffective, { query }, signal),

    /** What the tenant may use, and uses. */
    /** Who the caller is to the registry. */
    session: (signal?: AbortSignal) => call(connection, browser.session, {}, signal),

    quota: (signal?: AbortSignal) => call(connection, access.getQuota, {}, signal),

    listTenants: (signal?: AbortSignal) => call(connection, access.listTenants, {}, signal),

    /** The tenant of that name, made where there was none. */
    createTenant: (body: CreateTenantBody, signal?: AbortSignal) =>
      call(connection, access.createTenant, { body }, signal),

    updateTenant: (id: string, body: UpdateTenantBody, signal?: AbortSignal) =>
      call(connection, access.updateTenant, { params: { id }, body }, signal),

    deactivateTenant: (id: string, signal?: AbortSignal) =>
      callForNothing(connection, access.deactivateTenant, { params: { id } }, signal),

    health: (signal?: AbortSignal) => call(connection, operations.healthz, {}, signal),

    /**
     * What changes, as it changes, heartbeats and gaps included. Ends when the registry ends it and
     * throws when it breaks off; whoever needs it longer opens it again, with `since`.
     */
    async *events(filter: EventFilter, signal?: AbortSignal): AsyncGenerator<StreamedEvent> {
      const stream = await openEvents(connection, filter, signal).catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw unreachable(connection.registry, cause);
      });
      if (stream.kind === 'refused') throw stream.error;
      for await (const line of stream.lines) {
        const event: StreamedEvent = JSON.parse(line);
        yield event;
      }
    },
  };
}

/** A line of the stream: an event, or `_heartbeat` or `_gap` with nothing else in it. */
export type StreamedEvent = Pick<EventBody, 'event'> & Partial<EventBody>;
