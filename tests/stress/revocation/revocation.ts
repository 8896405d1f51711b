import { measurementOfFailures, resultOfParts } from '../../../bench/benchmark.ts';
import { seededRandom } from '../../../tools/seeded-random.ts';
import { singleRun } from '../single-run.ts';
import { ADMIN, artifactOf, GROUP, LAYERS, openReplicas, type Replicas } from './replicas.ts';

interface Permission {
  name: string;
  subject: string;
  grant(replica: number): Promise<void>;
  revoke(replica: number): Promise<void>;
  path: string;
  refused: number;
}

export const revocation = singleRun({
  name: 'revocation',
  summary:
    'Grants a role, a directory group and the visibility of a layer on two processes that share one PostgreSQL, uses them on both, and revokes them through either. Counts requests that start after the acknowledgment and still have access.',
  servers: true,
  n: 1_000,
  small_n: 20,
  run: async ({ n, seed, folder }) => {
    const replicas = await openReplicas(folder);
    try {
      const random = seededRandom(`revocation ${seed}`);
      const rights = await listRights(replicas);
      const failures = new Map(rights.map(({ name }) => [name, 0]));
      for (let trial = 0; trial < n; trial += 1) {
        for (const right of rights) {
          const failed = await tryOnce(replicas, right, () => random.int(replicas.count));
          failures.set(right.name, (failures.get(right.name) ?? 0) + failed);
        }
      }
      const parts = [...failures].map(([name, failed]) =>
        measurementOfFailures(`revocation-${name}`, n, failed),
      );
      return resultOfParts('revocation', parts, [
        'each trial: granted through one process, used on both, revoked through one, then requested from both at once',
      ]);
    } finally {
      await replicas.close();
    }
  },
});

/** Grants and revokes a permission. Returns the number of processes with a wrong response. */
async function tryOnce(
  replicas: Replicas,
  right: Permission,
  pickReplica: () => number,
): Promise<number> {
  await right.grant(pickReplica());
  const before = await requestAll(replicas, right);
  await right.revoke(pickReplica());
  const after = await requestAll(replicas, right);
  const unseen = before.filter((status) => status !== 200).length;
  const seen = after.filter((status) => status !== right.refused).length;
  return unseen + seen;
}

function requestAll(replicas: Replicas, { subject, path }: Permission): Promise<number[]> {
  return Promise.all(
    Array.from({ length: replicas.count }, async (_, replica) => {
      const { status } = await replicas.send(replica, { subject }, { method: 'GET', path });
      return status;
    }),
  );
}

async function listRights(replicas: Replicas): Promise<Permission[]> {
  const admin = { subject: ADMIN };
  const member = await push(replicas, 'Users', { userName: 'greta', active: true });
  const group = await push(replicas, 'Groups', { displayName: GROUP });
  const send = async (...args: Parameters<Replicas['send']>): Promise<void> => {
    const { status, body } = await replicas.send(...args);
    if (status >= 300) throw new Error(`${args[2].path}: ${status} ${JSON.stringify(body)}`);
  };
  const patchGroup = (op: string) => ({
    method: 'PATCH',
    path: `/scim/v2/Groups/${group}`,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op, path: 'members', value: [{ value: member }] }],
    },
  });
  const patchLayer = (organization: boolean) => ({
    method: 'POST',
    path: `/v1/layers/update?id=${LAYERS.visibility}`,
    body: { organization },
  });
  return [
    {
      name: 'role',
      subject: 'gina',
      grant: (replica) =>
        send(replica, admin, {
          method: 'POST',
          path: '/v1/admin/grants',
          body: { user_id: 'gina' },
        }),
      revoke: (replica) =>
        send(replica, admin, { method: 'DELETE', path: '/v1/admin/grants?user_id=gina' }),
      path: '/v1/admin/grants',
      refused: 403,
    },
    {
      name: 'group',
      subject: 'greta',
      grant: (replica) => send(replica, 'directory', patchGroup('add')),
      revoke: (replica) => send(replica, 'directory', patchGroup('remove')),
      path: `/v1/load_artifact?id=${artifactOf(LAYERS.group)}`,
      refused: 404,
    },
    {
      name: 'visibility',
      subject: 'oscar',
      grant: (replica) => send(replica, admin, patchLayer(true)),
      revoke: (replica) => send(replica, admin, patchLayer(false)),
      path: `/v1/load_artifact?id=${artifactOf(LAYERS.visibility)}`,
      refused: 404,
    },
  ];
}

async function push(replicas: Replicas, kind: string, attributes: object): Promise<string> {
  const { status, body } = await replicas.send(0, 'directory', {
    method: 'POST',
    path: `/scim/v2/${kind}`,
    body: {
      schemas: [`urn:ietf:params:scim:schemas:core:2.0:${kind.slice(0, -1)}`],
      ...attributes,
    },
  });
  const id = typeof body === 'object' && body !== null ? Reflect.get(body, 'id') : undefined;
  if (typeof id !== 'string') throw new Error(`${kind}: ${status} ${JSON.stringify(body)}`);
  return id;
}
