import type { AccessReview } from '@catalog/contract/records/access';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { AdminGrant } from '@catalog/core/ports/grants';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { CallContext, Registry } from '../registry.ts';
import { invalidCursor } from '../discover/invalid-cursor.ts';

type ReviewedUser = AccessReview['users'][number];

/** Facts that the review of each user needs. */
interface Review {
  registry: Registry;
  context: CallContext;
  layers: readonly LayerRecord[];
  admins: ReadonlyMap<string, AdminGrant>;
}

/**
 * The first page lists the users with a role or layer of their own; the following pages list the
 * other users of the directory.
 */
export async function reviewAccess(
  registry: Registry,
  context: CallContext,
  { limit, cursor }: { limit: number; cursor: string },
): Promise<AccessReview> {
  const { store } = registry;
  const { tenant } = context;
  const [layers, grants] = await Promise.all([
    store.layers.list(tenant),
    store.grants.list(tenant),
  ]);
  const admins = new Map(grants.map((grant) => [grant.user_id, grant]));
  const review: Review = { registry, context, layers, admins };
  const named = listNamedUsers(layers, admins);
  const isFirst = cursor === '';
  const after = isFirst ? '' : readCursor(cursor);
  const page = await store.directory.pageAfter(tenant, 'User', { after, limit });
  const others = page.map(({ name }) => name).filter((name) => !named.has(name));
  const users: ReviewedUser[] = [];
  for (const user of isFirst ? [...named, ...others] : others) {
    users.push(await reviewUser(review, user));
  }
  const last = page.length < limit ? undefined : page.at(-1);
  return {
    reviewed_at: registry.now().toISOString(),
    shared_layers: isFirst ? listSharedLayers(layers) : [],
    users,
    ...(last === undefined ? {} : { next_cursor: `after ${last.id}` }),
  };
}

function listNamedUsers(
  layers: readonly LayerRecord[],
  admins: ReadonlyMap<string, AdminGrant>,
): ReadonlySet<string> {
  const named = layers.flatMap(({ users, owner, user_defined }) => [
    ...(users ?? []),
    ...(user_defined ? [owner] : []),
  ]);
  const all = [...admins.keys(), ...named].filter((name) => name !== '');
  return new Set(all.toSorted(compareBytes));
}

function listSharedLayers(layers: readonly LayerRecord[]): AccessReview['shared_layers'] {
  return layers
    .filter((layer) => layer.public || layer.organization)
    .map((layer) => ({ layer: layer.id, access: layer.public ? 'public' : 'organization' }));
}

async function reviewUser(
  { registry, context, layers, admins }: Review,
  user_id: string,
): Promise<ReviewedUser> {
  const { store } = registry;
  const { tenant } = context;
  const filter = { artifact: '', subject: user_id };
  const [{ state, groups }, [read]] = await Promise.all([
    store.directory.standing(tenant, user_id, ''),
    store.read_log.listNewest(tenant, filter, undefined, 1),
  ]);
  const admin = admins.get(user_id);
  return {
    user_id,
    state,
    ...(admin === undefined
      ? {}
      : { admin: { granted_at: admin.granted_at, granted_by: admin.granted_by } }),
    groups: [...groups],
    layers: layers.flatMap((layer) => listGrants(layer, user_id, groups)),
    ...(read === undefined ? {} : { last_read_at: read.minute }),
  };
}

function listGrants(
  { id: layer, users, groups: allowed, owner, user_defined }: LayerRecord,
  user_id: string,
  groups: readonly string[],
): ReviewedUser['layers'] {
  const found: ReviewedUser['layers'] = [];
  if (user_defined && owner === user_id) found.push({ layer, via: 'owner' });
  if (users?.includes(user_id) === true) found.push({ layer, via: 'user' });
  for (const group of allowed ?? []) {
    if (groups.includes(group)) found.push({ layer, via: 'group', group });
  }
  return found;
}

function readCursor(cursor: string): string {
  if (!cursor.startsWith('after ')) throw invalidCursor();
  return cursor.slice('after '.length);
}
