import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Artifact } from '@catalog/core/artifact/types';
import type { Config, MaterializeHook } from '../config/types.ts';
import type { Approved } from '../trust/approved.ts';
import { runProgram, type Outcome } from '../marketplace/run-program.ts';
import { parseHookOutput, toMessage } from './hook-message.ts';
import { isOffline, createSandboxedCommand } from './sandbox.ts';

/** Maximum output of a hook: a package in base64, with a large margin. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const MAX_ERROR_LINES = 5;

/** Runs a hook in its own process. If it fails or violates its sandbox, the artifact is not written (SPEC-62). */
export async function runHook(
  hook: Approved<MaterializeHook>,
  artifact: Artifact,
  config: Pick<Config, 'env' | 'home'>,
  signal?: AbortSignal,
): Promise<Artifact> {
  const outcome = await runProgram(
    {
      ...createSandboxedCommand(hook, config),
      input: toMessage(artifact),
      timeout_ms: hook.timeout_ms,
      keep_stdout: true,
      most_stdout: MAX_OUTPUT_BYTES,
    },
    signal,
  );
  if (outcome.status !== 0) {
    throw isSandboxViolation(hook, outcome, config.home)
      ? violation(hook, artifact, outcome)
      : failure(hook, artifact, describeExit(outcome), outcome);
  }
  const answer = parseHookOutput(outcome.stdout, artifact);
  if (answer.kind === 'ok') return answer.artifact;
  throw failure(hook, artifact, answer.problem, outcome);
}

/** Exit status of a process that the filter killed: 128 plus the number of SIGSYS. */
const ENDED_BY_FILTER = 159;

const FILTERED = /SIGSYS|Bad system call/i;
const REFUSED_WRITE = /EROFS|Read-only file system/i;
const REFUSED = /EPERM|EACCES|Operation not permitted|Permission denied/i;
const NOT_THERE = /ENOENT|No such file or directory/i;
const NO_NETWORK =
  /ENETUNREACH|EAI_AGAIN|ECONNREFUSED|Network is unreachable|name resolution|resolve host|Connection refused/i;

/** Returns true if the sandbox probably stopped the hook. Used only for the error message. */
function isSandboxViolation(
  { sandbox }: MaterializeHook,
  { status, errors }: Outcome,
  home: string,
): boolean {
  if (sandbox === 'unrestricted') return false;
  if (sandbox === 'seccomp-strict' && (status === ENDED_BY_FILTER || FILTERED.test(errors))) {
    return true;
  }
  if (REFUSED_WRITE.test(errors) || REFUSED.test(errors)) return true;
  if (errors.includes(home) && NOT_THERE.test(errors)) return true;
  return isOffline(sandbox) && NO_NETWORK.test(errors);
}

function describeExit({ status, timed_out }: Outcome): string {
  if (timed_out) return 'it timed out and was stopped';
  return status === -1 ? 'it was killed, or could not be started' : `it exited with ${status}`;
}

function violation(
  hook: MaterializeHook,
  { id, version }: Artifact,
  outcome: Outcome,
): CatalogError {
  const { name, sandbox } = hook;
  return new CatalogError(
    'materialize.sandbox_violation',
    `The hook ${name} attempted an action that its sandbox profile ${sandbox} forbids, for ${id} ${version}; the artifact was not written.${formatStderr(outcome)}`,
    { details: { artifact_id: id, version, hook: name } },
  );
}

function failure(
  { name }: MaterializeHook,
  { id, version }: Artifact,
  problem: string,
  outcome: Outcome,
): CatalogError {
  return new CatalogError(
    'materialize.hook_failed',
    `The hook ${name} failed for ${id} ${version}: ${problem}; the artifact was not written.${formatStderr(outcome)}`,
    { details: { artifact_id: id, version, hook: name } },
  );
}

function formatStderr({ errors }: Outcome): string {
  const lines = errors.trim().split('\n').slice(-MAX_ERROR_LINES).join('\n');
  return lines === '' ? '' : `\n${lines}`;
}
