import { approvalsFile } from '../trust/approvals-file.ts';
import { trustFile } from '../trust/trust-file.ts';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { readConfigText } from '@catalog/core/node/read-config-text';
import { checkUserFolder, userFolder } from '@catalog/core/node/user-folder';
import { expandHome } from '@catalog/core/text/expand-home';
import { refuseDirectory } from '../paths/refuse-directory.ts';
import { readPendingSave } from '../sync/pending-save.ts';
import { checkMinServerVersion } from '@catalog/core/version/min-server-version';
import { harnessText } from './harness-names.ts';
import { resolveIdentity } from './identity-settings.ts';
import { isAddress } from './is-address.ts';
import { listValues } from './list-values.ts';
import { listMinServerVersions } from './min-server-version.ts';
import { collectProfiles, resolveProfile } from './profiles.ts';
import { readSyncFile, rejectAllowRules, refuseUserOnlyKeys } from './read-sync-file.ts';
import { refuseForeignWorkspace } from './refuse-foreign-workspace.ts';
import { workspaceOverlay } from './workspace-overlay.ts';
import { refuseGitAddress } from './refuse-git-address.ts';
import { resolveCacheMode } from './cache-mode.ts';
import { resolveContentRules } from './resolve-content-rules.ts';
import { resolveSigning } from './resolve-signing.ts';
import { resolveHooks } from './resolve-hooks.ts';
import { listConfiguredTargets, resolveTargets } from './resolve-targets.ts';
import { userSyncFile } from './user-sync-file.ts';
import {
  BUILT_IN,
  first,
  flag,
  fromAllDefaults,
  fromDefaults,
  fromUserFile,
  member,
  variable,
} from './sourced.ts';
import type {
  Config,
  ConfigFile,
  ConfigInput,
  OriginKind,
  ProfileConfig,
  Sourced,
} from './types.ts';

export function loadConfig(input: ConfigInput): Config {
  const workspace = findWorkspace(input);
  const files = readFiles(input, workspace);
  const warnings: string[] = [];
  const profiles = collectProfiles(files, warnings);
  const profile = resolveProfile(input, files, profiles, warnings);
  const active = profile === undefined ? undefined : profiles.get(profile.value);

  const registry = resolveRegistry(input, files);
  const harness = first<string>(
    flag(input.flags.harness, '--harness'),
    variable(input, 'CATALOG_HARNESS'),
    member(active, (value) => harnessText(value.harness)),
    fromDefaults(files, (defaults) => harnessText(defaults.harness)),
  ) ?? { value: 'none', origin: BUILT_IN };
  const target = resolveFolder(input, files, active, workspace);
  const exclude = fromAllDefaults(files, (defaults) => defaults.exclude);
  const overlay = resolveOverlay(input, workspace);
  const unsupported = first<'fail' | 'skip'>(
    flag(input.flags.unsupported, '--skip-unsupported'),
    fromDefaults(files, (defaults) => defaults.unsupported),
  ) ?? { value: 'fail', origin: BUILT_IN };
  const on_clash = first<'fail' | 'qualify'>(
    flag(input.flags.on_clash, '--on-clash'),
    fromDefaults(files, (defaults) => defaults.on_clash),
  ) ?? { value: 'fail', origin: BUILT_IN };
  const rule_fallback = fromDefaults(files, (defaults) => defaults.rule_fallback);
  const cache = resolveCache(input);
  const cache_mode = resolveCacheMode(input);
  const min_server_versions = listMinServerVersions(files, active);
  for (const { version, place } of min_server_versions) checkMinServerVersion(version, place);

  const settled = {
    workspace,
    registry,
    harness,
    profile,
    target,
    exclude,
    overlay,
    unsupported,
    on_clash,
    rule_fallback,
    cache,
    cache_mode,
    safe_directories: fromUserFile(files, (content) => content.safe_directories),
    object_hosts: fromUserFile(files, (content) => content.object_hosts),
    identity: resolveIdentity(input, files, registry),
    signing: resolveSigning(input, files),
  };
  const { targets, marketplaces } = resolveTargets({
    ...settled,
    flags: input.flags,
    home: input.home,
    files,
    profiles,
    active,
  });
  for (const directory of new Set([...targets, ...marketplaces].map((one) => one.directory))) {
    refuseDirectory(directory, workspace, 'target', CHANGE_TARGET);
  }
  if (overlay !== undefined) refuseDirectory(overlay.value, workspace, 'author');
  return {
    ...settled,
    workspace_file: workspaceFile(input, workspace),
    scope: input.flags.scope ?? 'workspace',
    home: resolve(input.home),
    trust_file: trustFile(input.home),
    approvals_file: approvalsFile(input.home),
    content_rules: resolveContentRules(files, input.home),
    min_server_versions,
    proxy: readProxy(input),
    targets,
    marketplaces,
    materialize_hooks: resolveHooks(files, input.home),
    env: input.env,
    configured_targets: listConfiguredTargets(files).map((target) => target.id),
    profiles,
    files,
    values: listValues(settled, files, profiles),
    warnings,
  };
}

const CHANGE_TARGET =
  'Set `target` in sync.yaml, or --target, to a directory outside of version control and of .catalog.';

/** Finds the workspace. The home folder is skipped, because its `.catalog/` contains the user's configuration. */
function findWorkspace({ cwd, home, flags }: ConfigInput): string {
  if (flags.scope === 'user') return resolve(home);
  const start = resolve(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(`${folder}/.catalog`) && !isSameFolder(folder, home)) return folder;
    if (folder === dirname(folder)) return start;
  }
}

/** Compares real paths, because a home folder is often a link. */
function isSameFolder(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

function workspaceFile({ cwd, flags }: ConfigInput, workspace: string): string {
  return typeof flags.config === 'string'
    ? resolve(cwd, flags.config)
    : `${workspace}/.catalog/sync.yaml`;
}

/** Reads the configuration files, lowest precedence first. The owner of the workspace is checked first. */
function readFiles(input: ConfigInput, workspace: string): ConfigFile[] {
  const home = resolve(input.home);
  checkUserFolder(home);
  const user = readFile(input, {
    kind: 'user',
    path: userSyncFile(home),
    base: home,
    required: false,
  });
  if (!isSameFolder(workspace, home)) {
    const listed = fromUserFile(user, (content) => content.safe_directories);
    refuseForeignWorkspace(workspace, { ...input, safe_directories: listed?.value ?? [] });
  }
  return [...user, ...workspacePlaces(input, workspace).flatMap((place) => readFile(input, place))];
}

interface FilePlace {
  kind: OriginKind;
  path: string;
  base: string;
  required: boolean;
}

function workspacePlaces(input: ConfigInput, workspace: string): FilePlace[] {
  const path = workspaceFile(input, workspace);
  if (typeof input.flags.config === 'string') {
    return [{ kind: 'workspace', path, base: workspace, required: true }];
  }
  if (workspace === resolve(input.home)) return [];
  const local = `${workspace}/.catalog/sync.local.yaml`;
  return [
    { kind: 'workspace', path, base: workspace, required: false },
    { kind: 'workspace-local', path: local, base: workspace, required: false },
  ];
}

function readFile(
  { edited, home }: ConfigInput,
  { kind, path, base, required }: FilePlace,
): ConfigFile[] {
  const text =
    edited?.path === path
      ? edited.text
      : ((existsSync(path) ? undefined : readPendingSave(path, base, home)) ??
        readConfigText(path, required, ADVICE));
  if (text === undefined) return [];
  const content = readSyncFile(text, path);
  if (kind !== 'user') {
    refuseUserOnlyKeys(content, { text, file: path });
    rejectAllowRules(content, { text, file: path });
  }
  return [{ origin: { kind, name: path }, path, base, hash: bytesHash(text), content }];
}

const ADVICE = { unreadable: 'Make the file readable, or remove it.' };

function resolveRegistry(
  input: ConfigInput,
  files: readonly ConfigFile[],
): Sourced<string> | undefined {
  const found = first(
    flag(input.flags.registry, '--registry'),
    variable(input, 'CATALOG_REGISTRY'),
    fromDefaults(files, (defaults) => defaults.registry),
  );
  if (found === undefined) return found;
  refuseGitAddress(found.value);
  if (isAddress(found.value)) return found;
  return { ...found, value: toAbsolute(found, input, files) };
}

function resolveFolder(
  input: ConfigInput,
  files: readonly ConfigFile[],
  active: Sourced<ProfileConfig> | undefined,
  workspace: string,
): Sourced<string> {
  const found = first(
    flag(input.flags.target, '--target'),
    member(active, (value) => value.target),
    fromDefaults(files, (defaults) => defaults.target),
  );
  if (found === undefined) return { value: workspace, origin: BUILT_IN };
  return { ...found, value: toAbsolute(found, input, files) };
}

function resolveOverlay(input: ConfigInput, workspace: string): Sourced<string> | undefined {
  const found = first(
    flag(input.flags.overlay, '--overlay'),
    variable(input, 'CATALOG_OVERLAY_PATH'),
  );
  if (found !== undefined) return { ...found, value: toAbsolute(found, input, []) };
  const usual = workspaceOverlay(workspace);
  return usual === undefined ? undefined : { value: usual, origin: BUILT_IN };
}

function resolveCache(input: ConfigInput): Sourced<string> {
  const found = variable(input, 'CATALOG_CACHE_DIR');
  if (found !== undefined) return { ...found, value: toAbsolute(found, input, []) };
  return { value: `${userFolder(input.home)}/cache`, origin: BUILT_IN };
}

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** Reads the proxy variables in both spellings; lowercase has precedence, as in other tools. */
function readProxy({ env }: ConfigInput): Record<string, string> {
  const proxy: Record<string, string> = {};
  for (const name of PROXY_VARIABLES) {
    const value = env[name.toLowerCase()] ?? env[name];
    if (value !== undefined && value !== '') proxy[name] = value;
  }
  return proxy;
}

/** Makes a path absolute: relative to the file that contains it, or else to the working folder. */
function toAbsolute(
  found: Sourced<string>,
  input: ConfigInput,
  files: readonly ConfigFile[],
): string {
  const base = files.find((file) => file.origin === found.origin)?.base ?? input.cwd;
  return resolve(base, expandHome(found.value, input.home));
}
