import { resolve } from 'node:path';
import type { RegisterLayerBody } from '@catalog/contract/records/layer';
import { expandHome } from '@catalog/core/text/expand-home';
import { isLoopback } from '@catalog/sdk/is-loopback';
import type { Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';

export interface LayerFlags {
  ref: string | undefined;
  root: string | undefined;
  'local-path': string | undefined;
  owner: string | undefined;
  public: string | true | undefined;
  organization: string | true | undefined;
  group: string[] | undefined;
  user: string[] | undefined;
  'git-provider': string | undefined;
  'force-push-policy': 'tolerant' | 'strict' | undefined;
}

type LayerBody = Pick<
  RegisterLayerBody,
  | 'ref'
  | 'root'
  | 'local_path'
  | 'owner'
  | 'public'
  | 'organization'
  | 'groups'
  | 'users'
  | 'git_provider'
  | 'force_push_policy'
>;

export function toLayerBody(
  flags: LayerFlags,
  registry: string,
  session: Pick<Session, 'cwd' | 'home'>,
): LayerBody {
  const body: LayerBody = {};
  if (flags.ref !== undefined) body.ref = flags.ref;
  if (flags.root !== undefined) body.root = flags.root;
  const folder = flags['local-path'];
  if (folder !== undefined) body.local_path = toHostPath(folder, registry, session);
  if (flags.owner !== undefined) body.owner = flags.owner;
  if (flags.public !== undefined) body.public = flags.public !== 'false';
  if (flags.organization !== undefined) body.organization = flags.organization !== 'false';
  if (flags.group !== undefined) body.groups = flags.group;
  if (flags.user !== undefined) body.users = flags.user;
  if (flags['git-provider'] !== undefined) body.git_provider = flags['git-provider'];
  const policy = flags['force-push-policy'];
  if (policy !== undefined) body.force_push_policy = policy;
  return body;
}

/** Makes a relative path absolute if the registry is on this machine, because the registry reads the folder. */
function toHostPath(
  folder: string,
  registry: string,
  { cwd, home }: Pick<Session, 'cwd' | 'home'>,
): string {
  if (isLoopback(new URL(registry).hostname)) return resolve(cwd, expandHome(folder, home));
  if (folder.startsWith('/')) return folder;
  throw usageError(
    `--local-path must be an absolute path on the machine of ${registry}, but ${folder} is relative.`,
    'Pass the absolute path of the folder on that machine.',
    { argument: '--local-path' },
  );
}
