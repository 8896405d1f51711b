import * as access from '@catalog/contract/endpoints/access';
import * as audit from '@catalog/contract/endpoints/audit';
import * as browser from '@catalog/contract/endpoints/browser';
import * as discovery from '@catalog/contract/endpoints/discovery';
import * as freeze from '@catalog/contract/endpoints/freeze';
import * as layers from '@catalog/contract/endpoints/layers';
import * as materialization from '@catalog/contract/endpoints/materialization';
import * as operations from '@catalog/contract/endpoints/operations';
import * as purge from '@catalog/contract/endpoints/purge';
import * as searchIndex from '@catalog/contract/endpoints/search-index';
import * as usage from '@catalog/contract/endpoints/usage';
import * as webhooks from '@catalog/contract/endpoints/webhooks';
import type { EventBody } from '@catalog/contract/events';
import type { CreateTenantBody, UpdateTenantBody } from '@catalog/contract/records/access';
import type { BatchLoadBody } from '@catalog/contract/records/artifact';
import type { BreakGlassBody, PutFreezeWindowsBody } from '@catalog/contract/records/freeze';
import type {
  RegisterLayerBody,
  reingestBody,
  UpdateLayerBody,
} from '@catalog/contract/records/layer';
import type { PurgeBody } from '@catalog/contract/records/purge';
import type { CreateWebhookBody, UpdateWebhookBody } from '@catalog/contract/records/webhook';
import type { z } from 'zod';
import { call, callWithoutBody, type QueryOf } from './call.ts';
import { openConnection, type ConnectionOptions } from './connection.ts';
import { openEvents, type EventFilter } from './event-stream.ts';
import { unreachable } from './unreachable.ts';

/** Tags, all of which an artifact must have. */
type Tagged<Query> = Omit<Query, 'tags'> & { tags?: readonly string[] };

type ReingestInput = QueryOf<typeof layers.reingestLayer> & z.input<typeof reingestBody>;

/** Client of a registry over HTTP, created by `openClient`. */
export type RegistryClient = ReturnType<typeof openClient>;

/** Opens a client of a registry over HTTP, with one method per operation. */
export function openClient(options: ConnectionOptions) {
  const connection = openConnection(options);
  return {
    registry: connection.registry,

    loadDomain: (query: QueryOf<typeof discovery.loadDomain>, signal?: AbortSignal) =>
      call(connection, discovery.loadDomain, { query }, signal),

    searchDomains: (query: QueryOf<typeof discovery.searchDomains>, signal?: AbortSignal) =>
      call(connection, discovery.searchDomains, { query }, signal),

    searchArtifacts: (
      { tags, ...query }: Tagged<QueryOf<typeof discovery.searchArtifacts>>,
      signal?: AbortSignal,
    ) =>
      call(
        connection,
        discovery.searchArtifacts,
        { query: { ...query, tags: tags?.join(',') } },
        signal,
      ),

    catalog: (
      { tags, ...query }: Tagged<QueryOf<typeof discovery.catalog>>,
      signal?: AbortSignal,
    ) =>
      call(connection, discovery.catalog, { query: { ...query, tags: tags?.join(',') } }, signal),

    recent: ({ tags, ...query }: Tagged<QueryOf<typeof discovery.recent>>, signal?: AbortSignal) =>
      call(connection, discovery.recent, { query: { ...query, tags: tags?.join(',') } }, signal),

    dependents: (query: QueryOf<typeof discovery.dependents>, signal?: AbortSignal) =>
      call(connection, discovery.dependents, { query }, signal),

    analyzeDomain: (query: QueryOf<typeof discovery.analyzeDomain>, signal?: AbortSignal) =>
      call(connection, discovery.analyzeDomain, { query }, signal),

    previewScope: (signal?: AbortSignal) => call(connection, discovery.previewScope, {}, signal),

    loadArtifact: (query: QueryOf<typeof materialization.loadArtifact>, signal?: AbortSignal) =>
      call(connection, materialization.loadArtifact, { query }, signal),

    batchLoad: (body: BatchLoadBody, signal?: AbortSignal) =>
      call(connection, materialization.batchLoad, { body }, signal),

    listVersions: (query: QueryOf<typeof materialization.listVersions>, signal?: AbortSignal) =>
      call(connection, materialization.listVersions, { query }, signal),

    loadLineage: (query: QueryOf<typeof materialization.artifactLineage>, signal?: AbortSignal) =>
      call(connection, materialization.artifactLineage, { query }, signal),

    registerLayer: (body: RegisterLayerBody, signal?: AbortSignal) =>
      call(connection, layers.registerLayer, { body }, signal),

    /** Tests a source without registering a layer. */
    testSource: (body: RegisterLayerBody, signal?: AbortSignal) =>
      call(connection, layers.testSource, { body }, signal),

    listLayers: (query: QueryOf<typeof layers.listLayers> = {}, signal?: AbortSignal) =>
      call(connection, layers.listLayers, { query }, signal),

    updateLayer: (id: string, body: UpdateLayerBody, signal?: AbortSignal) =>
      call(connection, layers.updateLayer, { query: { id }, body }, signal),

    unregisterLayer: (query: QueryOf<typeof layers.unregisterLayer>, signal?: AbortSignal) =>
      call(connection, layers.unregisterLayer, { query }, signal),

    restoreLayer: (query: QueryOf<typeof layers.restoreLayer>, signal?: AbortSignal) =>
      call(connection, layers.restoreLayer, { query }, signal),

    reorderLayers: (order: string[], signal?: AbortSignal) =>
      call(connection, layers.reorderLayers, { body: { order } }, signal),

    /** Lists artifacts that another layer would serve after a reorder. */
    previewReorder: (order: string[], signal?: AbortSignal) =>
      call(connection, layers.previewReorder, { body: { order } }, signal),

    /** Returns the report, or the accepted job if `wait` is false. */
    reingestLayer: ({ id, wait, ...body }: ReingestInput, signal?: AbortSignal) =>
      call(connection, layers.reingestLayer, { query: { id, wait }, body }, signal),

    listIngests: (query: QueryOf<typeof layers.listIngests>, signal?: AbortSignal) =>
      call(connection, layers.listIngests, { query }, signal),

    getIngest: (job: string, signal?: AbortSignal) =>
      call(connection, layers.getIngest, { params: { job } }, signal),

    /** Returns the result, or the job if `wait` is false. */
    reembed: (query: QueryOf<typeof searchIndex.reembed>, signal?: AbortSignal) =>
      call(connection, searchIndex.reembed, { query }, signal),

    getReembed: (job: string, signal?: AbortSignal) =>
      call(connection, searchIndex.getReembed, { params: { job } }, signal),

    purge: (body: PurgeBody, signal?: AbortSignal) =>
      call(connection, purge.purge, { body }, signal),

    getFreezeWindows: (signal?: AbortSignal) =>
      call(connection, freeze.getFreezeWindows, {}, signal),

    putFreezeWindows: (body: PutFreezeWindowsBody, signal?: AbortSignal) =>
      call(connection, freeze.putFreezeWindows, { body }, signal),

    breakGlass: (body: BreakGlassBody, signal?: AbortSignal) =>
      call(connection, freeze.breakGlass, { body }, signal),

    grantAdmin: (user_id: string, signal?: AbortSignal) =>
      call(connection, access.grantAdmin, { body: { user_id } }, signal),

    revokeAdmin: (user_id: string, signal?: AbortSignal) =>
      callWithoutBody(connection, access.revokeAdmin, { query: { user_id } }, signal),

    listAdmins: (signal?: AbortSignal) => call(connection, access.listAdmins, {}, signal),

    listAudit: (query: QueryOf<typeof audit.listAudit> = {}, signal?: AbortSignal) =>
      call(connection, audit.listAudit, { query }, signal),

    listReads: (query: QueryOf<typeof audit.listReads> = {}, signal?: AbortSignal) =>
      call(connection, audit.listReads, { query }, signal),

    reviewAccess: (query: QueryOf<typeof access.reviewAccess> = {}, signal?: AbortSignal) =>
      call(connection, access.reviewAccess, { query }, signal),

    /** Lists the most used artifacts first. */
    popular: (query: QueryOf<typeof usage.popular> = {}, signal?: AbortSignal) =>
      call(connection, usage.popular, { query }, signal),

    artifactUsage: (query: QueryOf<typeof usage.getArtifactUsage>, signal?: AbortSignal) =>
      call(connection, usage.getArtifactUsage, { query }, signal),

    showEffective: (query: QueryOf<typeof access.showEffective>, signal?: AbortSignal) =>
      call(connection, access.showEffective, { query }, signal),

    session: (signal?: AbortSignal) => call(connection, browser.session, {}, signal),

    /** Returns the subject, email address and role that the registry uses for the caller. */
    whoami: (signal?: AbortSignal) => call(connection, access.getWhoami, {}, signal),

    quota: (signal?: AbortSignal) => call(connection, access.getQuota, {}, signal),

    listTenants: (signal?: AbortSignal) => call(connection, access.listTenants, {}, signal),

    /** Creates a tenant unless it exists. */
    createTenant: (body: CreateTenantBody, signal?: AbortSignal) =>
      call(connection, access.createTenant, { body }, signal),

    updateTenant: (id: string, body: UpdateTenantBody, signal?: AbortSignal) =>
      call(connection, access.updateTenant, { params: { id }, body }, signal),

    deactivateTenant: (id: string, signal?: AbortSignal) =>
      callWithoutBody(connection, access.deactivateTenant, { params: { id } }, signal),

    listWebhooks: (signal?: AbortSignal) => call(connection, webhooks.listWebhooks, {}, signal),

    /** Creates a webhook receiver. Only this response contains its secret. */
    createWebhook: (body: CreateWebhookBody, signal?: AbortSignal) =>
      call(connection, webhooks.createWebhook, { body }, signal),

    getWebhook: (id: string, signal?: AbortSignal) =>
      call(connection, webhooks.getWebhook, { params: { id } }, signal),

    updateWebhook: (id: string, body: UpdateWebhookBody, signal?: AbortSignal) =>
      call(connection, webhooks.updateWebhook, { params: { id }, body }, signal),

    deleteWebhook: (id: string, signal?: AbortSignal) =>
      callWithoutBody(connection, webhooks.deleteWebhook, { params: { id } }, signal),

    /** Sends the event `webhook.test`, which gets one attempt. */
    testWebhook: (id: string, signal?: AbortSignal) =>
      call(connection, webhooks.testWebhook, { params: { id } }, signal),

    listWebhookDeliveries: (
      id: string,
      query: QueryOf<typeof webhooks.listWebhookDeliveries> = {},
      signal?: AbortSignal,
    ) => call(connection, webhooks.listWebhookDeliveries, { params: { id }, query }, signal),

    getWebhookDelivery: (id: string, delivery: string, signal?: AbortSignal) =>
      call(connection, webhooks.getWebhookDelivery, { params: { id, delivery } }, signal),

    redeliverWebhook: (id: string, delivery: string, signal?: AbortSignal) =>
      call(connection, webhooks.redeliverWebhook, { params: { id, delivery } }, signal),

    recoverWebhook: (id: string, since: string, signal?: AbortSignal) =>
      call(connection, webhooks.recoverWebhook, { params: { id }, body: { since } }, signal),

    health: (signal?: AbortSignal) => call(connection, operations.healthz, {}, signal),

    /**
     * Yields the lines of the event stream, with heartbeats and gaps. Ends when the registry closes the stream and
     * throws if the connection breaks. To continue, call it again with `since`.
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

/** Line of the event stream: an event, or `_heartbeat` or `_gap` without other members. */
export type StreamedEvent = Pick<EventBody, 'event'> & Partial<EventBody>;
