import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { harnessNames } from '@catalog/consumer/config/harness-names';
import { isAddress } from '@catalog/consumer/config/is-address';
import { refuseDirectory } from '@catalog/consumer/paths/refuse-directory';
import { refuseGitAddress } from '@catalog/consumer/config/refuse-git-address';
import { prepareUserSyncFile, userSyncFile } from '@catalog/consumer/config/user-sync-file';
import { approvalsFile } from '@catalog/consumer/trust/approvals-file';
import { chooseRegistry } from '@catalog/consumer/trust/content-policy';
import { expandHome } from '@catalog/core/text/expand-home';
import { adapters, loadAdapter } from '@catalog/harness/registry';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { pathInside, underHome } from '../../output/places.ts';
import { type Line, styled } from '../../output/text.ts';
import { formatSyncFile, STANDALONE_REGISTRY } from '../sync-file-text.ts';
import { replaceFiles, writeNewFile } from '../write-new-file.ts';
import type { initDefinition } from './definition.ts';

type Input = CommandInput<typeof initDefinition>;

const GITIGNORE = 'sync.local.yaml\noverlay/\nkept/\n';

export interface Defaults {
  registry: string;
  harness: string | undefined;
  target: string | undefined;
}

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const place = choosePlace(input, session);
  refuseDirectory(place.base, place.base, 'settings');
  refuseExisting(place.path, input.flags.force);
  const { harness } = input.flags;
  for (const name of harness === undefined ? [] : harnessNames(harness)) loadAdapter(name);
  if (input.flags.registry !== undefined) refuseGitAddress(input.flags.registry);
  const chosen = await chooseDefaults(input, session);
  const defaults = withPortableFolders(chosen, place, session);
  const isOwn = place.path === userSyncFile(session.home);
  const own = isOwn ? { prepare: () => prepareUserSyncFile(session.home) } : {};
  // Users may link ~/.catalog to their dotfiles, but a link in a workspace may come from a clone.
  const root = input.flags.global ? dirname(place.path) : place.base;
  const below = { root, purpose: 'settings' } as const;
  const file = { path: place.path, text: formatSyncFile(defaults), ...own };
  if (input.flags.force) await replaceFiles([file], below, session);
  else writeNewFile(file, below, false);
  if (place.ignore !== undefined && !existsSync(place.ignore)) {
    writeNewFile({ path: place.ignore, text: GITIGNORE }, below, false);
  }
  if (place.base === session.cwd) {
    const registry = isAddress(defaults.registry)
      ? defaults.registry
      : resolve(place.base, expandHome(defaults.registry, session.home));
    chooseRegistry(approvalsFile(session.home), place.base, registry);
  }
  const next = nextCommand(defaults, place.base, session);
  return {
    lines: describe(place, defaults, next),
    json: { path: place.path, defaults: withoutAbsent(defaults), next },
  };
}

interface Place {
  path: string;
  shown: string;
  /** Folder to which relative paths in the file refer. */
  base: string;
  ignore: string | undefined;
  /** True if other machines share the file with the workspace. */
  shared: boolean;
}

function choosePlace({ flags }: Input, { cwd, home }: Session): Place {
  if (flags.global) {
    const path = userSyncFile(home);
    return { path, shown: '~/.catalog/sync.yaml', base: home, ignore: undefined, shared: false };
  }
  const shown = flags.local ? '.catalog/sync.local.yaml' : '.catalog/sync.yaml';
  return {
    path: join(cwd, shown),
    shown,
    base: cwd,
    ignore: join(cwd, '.catalog/.gitignore'),
    shared: !flags.local,
  };
}

/** Rejects an existing file before any prompt. */
function refuseExisting(path: string, force: boolean): void {
  if (force || !existsSync(path)) return;
  throw usageError(
    `${path} already exists.`,
    'Edit the file, inspect it with `catalog config show`, or replace it with --force.',
    { command: 'init' },
  );
}

async function chooseDefaults({ flags }: Input, session: Session): Promise<Defaults> {
  const registry = flags.standalone ? STANDALONE_REGISTRY : flags.registry;
  const found = flags.global ? [] : detectHarnesses(session.cwd);
  if (session.interactive && (registry === undefined || flags.harness === undefined)) {
    const { ask } = await import('./ask.ts');
    const answers = await ask({ registry, harness: flags.harness, found }, session);
    return { ...answers, target: flags.target };
  }
  if (registry === undefined) {
    throw usageError(
      'No registry was given, and there is no terminal to prompt on.',
      'Pass --registry <folder-or-url>, or --standalone for the registry on this machine.',
      { command: 'init', argument: '--registry' },
    );
  }
  const [only, ...others] = found;
  const harness = flags.harness ?? (others.length === 0 ? only : undefined);
  return { registry, harness, target: flags.target };
}

/**
 * Makes paths portable. Paths relative to the workspace stay. The user's own file is for every workspace, so its paths
 * must not depend on the current folder. The shell has already expanded `~`.
 */
function withPortableFolders(
  { registry, harness, target }: Defaults,
  { base }: Place,
  { cwd, home }: Session,
): Defaults {
  function portable(folder: string): string {
    if (isAddress(folder) || folder === '~' || folder.startsWith('~/')) return folder;
    if (!isAbsolute(folder) && base === cwd) return folder;
    const path = resolve(cwd, folder);
    const inside = base === cwd ? pathInside(cwd, path) : undefined;
    return inside === undefined ? underHome(path, home) : inside === '' ? '.' : `./${inside}`;
  }
  return {
    registry: portable(registry),
    harness,
    target: target === undefined ? undefined : portable(target),
  };
}

function nextCommand({ registry }: Defaults, base: string, { home }: Session): string {
  if (isAddress(registry)) return 'catalog sync';
  const folder = resolve(base, expandHome(registry, home));
  const stats = statSync(folder, { throwIfNoEntry: false });
  const empty = stats?.isDirectory() !== true || readdirSync(folder).length === 0;
  return empty ? 'catalog artifact new skill greetings/hello' : 'catalog sync';
}

function describe(
  { shown, shared }: Place,
  { registry, harness, target }: Defaults,
  next: string,
): Line[] {
  const bound = shared ? [registry, target ?? '.'].filter((folder) => isAbsolute(folder)) : [];
  return [
    [styled('green', 'Wrote'), ` ${shown}`],
    `  registry  ${registry}`,
    `  harness   ${harness ?? 'none (canonical files; to choose one, pass --harness)'}`,
    ...(target === undefined ? [] : [`  target    ${target}`]),
    ...bound.map(
      (folder) =>
        `  ${folder} may not exist on other machines; to keep it out of the shared file, use --local`,
    ),
    '',
    ['Next: ', styled('bold', next)],
  ];
}

function withoutAbsent(defaults: Defaults): Partial<Record<keyof Defaults, string>> {
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined));
}

function detectHarnesses(workspace: string): string[] {
  return [...adapters.values()]
    .filter(({ detect }) => detect.some((folder) => existsSync(join(workspace, folder))))
    .map(({ id }) => id);
}
