import {
  toUnsent,
  type Dispatch,
  type DispatchClaim,
  type DispatchWrites,
} from '@catalog/core/ports/dispatches';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { FAILURES_TO_PAUSE, laterBy, nextHealth } from '@catalog/core/webhook/receiver-health';
import { systemAuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import { isDelivered, toOutcome, toResult, type Ended } from './attempt-dispatch.ts';
import type { OutboxPages } from './outbox-pages.ts';
import { saveReceiverFile } from './receiver-file-sync.ts';
import { planDispatches, type DispatchPlan } from './plan-dispatches.ts';
import { recordReceiverChange } from './record-receiver-change.ts';

/** Registry, tenant and receiver of dispatch results. */
export interface ResultPlace {
  registry: Registry;
  tenant: Tenant;
  id: string;
}

/** Options of an exchange with the store: the receiver, the event pages, and the worker's id. */
export interface ExchangeOptions extends ResultPlace {
  pages: OutboxPages;
  worker: string;
}

/** Result of an exchange: newly claimed dispatches; no receiver if it was deleted. */
export interface Exchanged {
  receiver: Receiver | undefined;
  claimed: readonly Dispatch[];
  /** True if the only claimed dispatch tests whether a failing receiver has recovered. */
  is_probe: boolean;
  has_more: boolean;
  was_disabled: boolean;
}

/** Maximum number of pending dispatches; later events stay in the outbox. */
const MAX_PENDING = 1024;
/** Duration of a claim, longer than all attempts of a process for one receiver. */
const CLAIM_MS = 2_400_000;
/** Duration of the claim for a single attempt. If the process stops, the receiver stays paused for this time. */
const PROBE_MS = 35_000;

const NOTHING = { claimed: [], is_probe: false, has_more: false, was_disabled: false };

/** Input of an exchange: results to store, and the number of dispatches to claim. */
export interface ExchangeRequest {
  ended: readonly Ended[];
  room: number;
  /**
   * Dispatches in this process, after a failed claim that may have been committed. Others of that claim are released.
   */
  held: ReadonlySet<string> | undefined;
}

/** Stores results and claims dispatches in one transaction. */
export async function exchangeDispatches(
  options: ExchangeOptions,
  { ended, room, held }: ExchangeRequest,
): Promise<Exchanged> {
  const { registry, tenant, id, worker } = options;
  const known = await registry.store.receivers.get(tenant, id);
  if (known === undefined) return { ...NOTHING, receiver: undefined };
  const canClaim = room > 0 && !isBlocked(known, registry.now(), ended);
  const { pending, due } = canClaim
    ? await registry.store.dispatches.countPending(tenant, id, registry.now().toISOString())
    : { pending: 0, due: 0 };
  const plan =
    canClaim && pending < MAX_PENDING && !(known.ordered && pending > ended.length)
      ? await planDispatches({ ...options, receiver: known, now: registry.now() }, room)
      : undefined;
  const isMoving =
    plan !== undefined && (plan.to !== plan.from || plan.window_end !== known.window_end);
  const isIdle = ended.length === 0 && due === 0 && !isMoving && held === undefined;
  if (isIdle) return { ...NOTHING, receiver: known };
  const exchanged = await registry.store.transaction(async (writes) => {
    const receiver = await writes.receivers.lock(tenant, id);
    if (receiver === undefined) return { ...NOTHING, receiver };
    const settled = await settle(options, writes, receiver, ended);
    const now = registry.now().toISOString();
    const found =
      held === undefined
        ? 0
        : await writes.dispatches.endUnheldClaims(tenant, id, { worker, held: [...held], now });
    if (!canClaim) return settled;
    const is_due = due + found > 0 || ended.some(({ result }) => !result || !isDelivered(result));
    return claim(options, writes, settled, { room, is_due, plan: isMoving ? plan : undefined });
  });
  if (exchanged.was_disabled) await saveReceiverFile(registry);
  return exchanged;
}

/** Stores results without claiming dispatches. */
export async function storeResults(place: ResultPlace, ended: readonly Ended[]): Promise<void> {
  const { registry, tenant, id } = place;
  const settled = await registry.store.transaction(async (writes) => {
    const receiver = await writes.receivers.lock(tenant, id);
    return receiver && settle(place, writes, receiver, ended);
  });
  if (settled?.was_disabled === true) await saveReceiverFile(registry);
}

/** Returns true if nothing may be sent now. During a pause, one attempt is allowed. */
function isBlocked(
  { disabled_by, paused_until }: Receiver,
  now: Date,
  ended: readonly Ended[] = [],
): boolean {
  const isPaused = paused_until !== null && Date.parse(paused_until) > now.getTime();
  return disabled_by !== null || (isPaused && ended.length === 0);
}

type Settled = Exchanged & { receiver: Receiver };

async function settle(
  { registry, tenant, id }: ResultPlace,
  writes: StoreWrites,
  receiver: Receiver,
  ended: readonly Ended[],
): Promise<Settled> {
  if (ended.length === 0) return { ...NOTHING, receiver };
  const { receivers, dispatches } = writes;
  const { schedule_ms } = registry.webhooks;
  const now = registry.now();
  await dispatches.finish(
    tenant,
    id,
    ended.map((one) => toResult(one, now, schedule_ms)),
  );
  const outcomes = ended.flatMap(({ result }) => (result === undefined ? [] : [toOutcome(result)]));
  if (outcomes.length === 0) return { ...NOTHING, receiver };
  let health = receiver;
  for (const outcome of outcomes) {
    health = { ...receiver, ...nextHealth(health, outcome, now, schedule_ms) };
  }
  await receivers.setHealth(tenant, id, health);
  const was_disabled = health.disabled_by !== receiver.disabled_by;
  if (was_disabled) {
    const auditContext = systemAuditContext(registry, 'webhooks');
    await recordReceiverChange(writes, tenant, auditContext, 'disable', health);
  }
  const has_more = receiver.paused_until !== null && health.paused_until === null;
  return { ...NOTHING, receiver: health, was_disabled, has_more };
}

/** Claims pending dispatches, and creates those of the next events. */
async function claim(
  { registry, tenant, id, worker }: ExchangeOptions,
  { receivers, dispatches }: StoreWrites,
  settled: Settled,
  { room, is_due, plan }: { room: number; is_due: boolean; plan: DispatchPlan | undefined },
): Promise<Exchanged> {
  const { receiver } = settled;
  const now = registry.now();
  if (isBlocked(receiver, now)) return settled;
  const is_probe = receiver.failure_count >= FAILURES_TO_PAUSE;
  const limit = is_probe || receiver.ordered ? 1 : room;
  const until = laterBy(now, CLAIM_MS);
  const wanted = { now: now.toISOString(), until, worker, limit };
  const waiting = is_due ? await claimWaiting(dispatches, tenant, receiver, wanted) : [];
  const claimed = [...waiting];
  let has_more = waiting.length === limit;
  if (receiver.ordered && waiting.length === 0) {
    const { pending } = await dispatches.countPending(tenant, id, wanted.now);
    if (pending > 0) return settled;
  }
  if (plan !== undefined && waiting.length < limit) {
    const own = plan.dispatches.slice(0, limit - waiting.length).map((dispatch) => ({
      ...dispatch,
      not_before: until,
      worker,
    }));
    const rest = plan.dispatches.slice(own.length);
    const isFirst = await dispatches.advance(tenant, id, {
      ...plan,
      dispatches: [...own, ...rest],
    });
    if (isFirst) claimed.push(...own.map(toUnsent));
    has_more = !isFirst || plan.has_more || rest.length > 0;
  }
  if (!is_probe || claimed.length === 0) return { ...settled, claimed, has_more };
  const probed = { ...receiver, paused_until: laterBy(now, PROBE_MS) };
  await receivers.setHealth(tenant, id, probed);
  return { ...settled, receiver: probed, claimed, is_probe, has_more: false };
}

async function claimWaiting(
  dispatches: DispatchWrites,
  tenant: Tenant,
  { id, ordered }: Receiver,
  wanted: DispatchClaim,
): Promise<Dispatch[]> {
  if (!ordered) return dispatches.claim(tenant, id, wanted);
  const oldest = await dispatches.claimOldest(tenant, id, wanted);
  return oldest === undefined ? [] : [oldest];
}
