import { existsSync, realpathSync, statSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SandboxProfile } from '@catalog/core/artifact/types';
import type { Config, MaterializeHook } from '../config/types.ts';
import { runProgram, type Program } from '../marketplace/run-program.ts';
import { ARCHITECTURES } from './denied-syscalls.ts';
import { findProgram } from './find-program.ts';
import { seccompFilter } from './seccomp-filter.ts';

export type SandboxedCommand = Pick<Program, 'words' | 'directory' | 'env' | 'descriptor'>;

/** Temporary folder in the sandbox, empty for each run. */
const TEMPORARY = '/tmp';
/** Environment variables that a hook in a sandbox gets; none contains a secret. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TZ'];

export function isOffline(profile: SandboxProfile): boolean {
  return profile === 'network-isolated' || profile === 'seccomp-strict';
}

/**
 * Returns the command that runs a hook in its sandbox (SPEC-62). The hook has no access to the home folder or to
 * sockets of services, except for its own file and `reads`.
 */
export function createSandboxedCommand(
  { run, sandbox, reads, file }: MaterializeHook,
  { env, home }: Pick<Config, 'env' | 'home'>,
): SandboxedCommand {
  if (sandbox === 'unrestricted') return { words: run, directory: file.base, env };
  const bwrap = findProgram('bwrap', env['PATH']);
  if (bwrap === undefined) throw unsupported(sandbox, 'bwrap (bubblewrap) is not on the PATH');
  const homes = existsSync(home) ? [realpathSync(home)] : [];
  const hidden = [...homes, '/run', '/dev', TEMPORARY];
  const named = [...run.filter(isFile), ...reads.filter((path) => existsSync(path))];
  // Links also need their real path.
  const places = new Set(named.flatMap((path) => [path, realpathSync(path)]));
  const visible = [...places].filter((path) =>
    hidden.some((folder) => path.startsWith(`${folder}/`)),
  );
  const words = [
    ['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ['--unshare-cgroup-try', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    isOffline(sandbox) ? ['--unshare-net'] : [],
    ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', TEMPORARY],
    ...[...homes, '/run'].map((folder) => ['--tmpfs', folder]),
    // Needed for DNS: resolv.conf is often a link into this folder.
    ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'],
    ...visible.map((path) => ['--ro-bind', path, path]),
    // Root can write kernel settings in /proc/sys, even without capabilities.
    ...[...homes, '/run', '/dev', '/proc'].map((folder) => ['--remount-ro', folder]),
    ['--chdir', TEMPORARY, '--setenv', 'TMPDIR', TEMPORARY, '--setenv', 'LC_ALL', 'C.UTF-8'],
  ].flat();
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, env[name]]));
  const outside = { directory: '/', env: inherited };
  if (sandbox !== 'seccomp-strict') return { words: [bwrap, ...words, '--', ...run], ...outside };
  return {
    words: [bwrap, ...words, '--seccomp', '3', '--', ...run],
    descriptor: filterOfHost(sandbox),
    ...outside,
  };
}

function isFile(word: string): boolean {
  return word.startsWith('/') && statSync(word, { throwIfNoEntry: false })?.isFile() === true;
}

function filterOfHost(profile: SandboxProfile): Uint8Array {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture !== undefined) return seccompFilter(architecture);
  throw unsupported(profile, `no syscall filter exists for ${process.arch}`);
}

/** Throws if this machine cannot enforce the sandbox, before a hook receives an artifact. */
export async function requireSandbox(
  hook: MaterializeHook,
  config: Pick<Config, 'env' | 'home'>,
  signal?: AbortSignal,
): Promise<void> {
  const { sandbox } = hook;
  if (sandbox === 'unrestricted') return;
  if (process.platform !== 'linux')
    throw unsupported(sandbox, 'bubblewrap is only available on Linux');
  const nothing = createSandboxedCommand({ ...hook, run: ['true'] }, config);
  const { status, output } = await runProgram({ ...nothing, timeout_ms: hook.timeout_ms }, signal);
  if (status !== 0) throw unsupported(sandbox, output.trim() || `bwrap exited with ${status}`);
}

function unsupported(profile: SandboxProfile, reason: string): CatalogError {
  return new CatalogError(
    'materialize.sandbox_unsupported',
    `This host cannot enforce the sandbox profile ${profile}: ${reason}. No hook was run.`,
    { details: { profile } },
  );
}
