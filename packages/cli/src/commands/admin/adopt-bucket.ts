import type { Settings } from '@catalog/server/config/settings';
import {
  adoptObjectStore,
  findOwner,
  type ObjectStoreOwner,
} from '@catalog/server/registry/object-store/adopt-object-store';
import { useRegistry } from '@catalog/server/use-registry';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, type Line } from '../../output/text.ts';
import type { adminAdoptBucketDefinition } from './adopt-bucket-definition.ts';
import { readSettings } from './read-settings.ts';

type Input = CommandInput<typeof adminAdoptBucketDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const settings = readSettings(flags, 'admin adopt-bucket', session);
  const dry_run = !flags.yes;
  const { found, identity } = await useRegistry(settings, async (registry) => {
    const owner = await findOwner(registry);
    if (dry_run || owner.decision === 'owned') return { found: owner, identity: owner.identity };
    return { found: owner, identity: await adoptObjectStore(registry, owner) };
  });
  const object_store = nameObjectStore(settings);
  return {
    lines: [
      ...alignColumns([
        ['object store', object_store],
        ['owner', found.owner ?? 'none'],
        ['database', found.identity],
      ]),
      ...describe(found, dry_run),
    ],
    json: {
      dry_run,
      object_store,
      former_owner: found.owner ?? null,
      identity,
      adopted: identity !== found.identity,
    },
  };
}

function nameObjectStore(settings: Settings): string {
  const { 'object_store.bucket': bucket, 'object_store.prefix': prefix } = settings;
  if (settings['object_store.type'] === 'filesystem' || bucket === undefined) {
    return settings['object_store.filesystem_root'];
  }
  return `s3://${[bucket, ...(prefix ? [prefix] : [])].join('/')}`;
}

function describe({ decision }: ObjectStoreOwner, dry_run: boolean): Line[] {
  if (decision === 'owned') return ['The object store belongs to this database'];
  if (!dry_run) return ['Adopted the object store: the database has a new identity'];
  return [
    EXPLANATIONS[decision],
    'Next: if no other database uses the object store, run `catalog admin adopt-bucket --yes`.',
  ];
}

const EXPLANATIONS: Readonly<Record<Exclude<ObjectStoreOwner['decision'], 'owned'>, string>> = {
  foreign: 'The object store belongs to another database',
  moved: 'The database was copied, restored or promoted since it last used the object store',
  unclaimed: 'The database used another bucket or prefix before; this one has no owner',
  claim: 'The object store has no owner; the next start of a server claims it',
  follow: 'The database has a new identity; the object store gets it at the next check of a server',
  unknown: 'The database server is a standby',
};
