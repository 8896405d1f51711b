import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import {
  type ApprovedLaunch,
  type Launch,
  startedByUser,
} from '@catalog/consumer/trust/approve-launch';
import type { Session } from '../../../command/session.ts';
import { openMcpConnection } from './conversation.ts';
import type {
  ProtocolProbe,
  Examination,
  ExaminedSettings,
  Problem,
  RegistryState,
} from './examination.ts';
import { examineProgram } from './examine-program.ts';
import { expandLaunch } from './expand-launch.ts';
import type { FoundLaunch } from './find-launch.ts';
import { REVISIONS, probeProtocolVersion } from './probe-protocol-version.ts';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config } from '@catalog/consumer/config/types';
import { getSignInState } from '@catalog/consumer/identity/sign-in-state';
import { chooseRoot } from '@catalog/consumer/materialize/choose-root';
import { toConfigInput } from '../../config-flags.ts';

const DEFAULT_LAUNCH = startedByUser({ command: 'catalog-mcp', args: [], env: {} });

export async function examine(
  harness: string | undefined,
  found: (FoundLaunch & { launch: ApprovedLaunch }) | undefined,
  session: Session,
): Promise<Examination> {
  const { launch, problems: unset } = expandLaunch(found?.launch ?? DEFAULT_LAUNCH, session.env);
  const inside: Session = { ...session, env: { ...session.env, ...launch.env } };
  const { program, problems } = await examineProgram(launch, inside);
  const settings = await examineSettings(inside).catch(unlessCatalogError);
  const probes =
    program.path === undefined ? [] : await probeProtocolVersions(launch, inside, session);
  return {
    harness,
    file: found?.file,
    program,
    settings: settings instanceof CatalogError ? undefined : settings,
    registry_state: stateOf(probes, settings),
    eras: probes,
    problems: unique([
      ...(found?.problems ?? []),
      ...unset,
      ...problems,
      ...probes.flatMap((probe) => [...probe.problems, ...problemsOfTools(probe)]),
      ...(settings instanceof CatalogError ? [toProblem(settings)] : offline(probes, settings)),
    ]),
  };
}

async function probeProtocolVersions(
  launch: Launch,
  inside: Session,
  session: Session,
): Promise<ProtocolProbe[]> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-mcp-doctor-'));
  const env = { ...inside.env, CATALOG_MATERIALIZE_ROOT: folder };
  try {
    const walks: ProtocolProbe[] = [];
    for (const revision of REVISIONS) {
      session.progress(`Testing protocol revision ${revision}`);
      const open = () => openMcpConnection(launch, { ...inside, env });
      walks.push(await probeProtocolVersion(open, revision));
    }
    return walks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function problemsOfTools({ tools }: ProtocolProbe): Problem[] {
  return tools.flatMap(({ problem }) => problem ?? []);
}

function stateOf(
  probes: readonly ProtocolProbe[],
  settings: ExaminedSettings | CatalogError,
): RegistryState {
  const answers = probes.flatMap(({ tools }) => tools.filter(({ ms }) => ms !== undefined));
  if (settings instanceof CatalogError || answers.length === 0) return 'not-asked';
  if (settings.cache_mode === 'offline-only') return 'not-asked';
  if (answers.some(({ offline: from_cache, code }) => from_cache || isNetwork(code))) {
    return 'unreachable';
  }
  return answers.every(({ code }) => code !== undefined) ? 'refuses' : 'answers';
}

function isNetwork(code: string | undefined): boolean {
  return code?.startsWith('network.') === true;
}

/** Reports cached responses as a problem, because they can be outdated. */
function offline(
  probes: readonly ProtocolProbe[],
  { registry, cache_mode }: ExaminedSettings,
): Problem[] {
  if (cache_mode === 'offline-only') return [];
  if (!probes.some(({ tools }) => tools.some((tool) => tool.offline))) return [];
  return [
    {
      what: `${registry ?? 'The registry'} is unreachable: the tools use the cache.`,
      next: 'Start the registry, or check its URL and the proxy.',
    },
  ];
}

function unlessCatalogError(error: unknown): CatalogError {
  if (error instanceof CatalogError) return error;
  throw error;
}

function toProblem({ message, suggested_action }: CatalogError): Problem {
  return { what: message, next: suggested_action };
}

/** Removes repeated problems: several protocol revisions can fail for the same reason. */
function unique(problems: readonly Problem[]): Problem[] {
  const known = new Map<string, Problem>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.what.replace(/^(?:load|search)_\w+: /, ''), problem.next]);
    if (!known.has(key)) known.set(key, problem);
  }
  return [...known.values()];
}

/** Examines the settings. `session` has the environment that the harness would set. */
async function examineSettings(session: Session): Promise<ExaminedSettings> {
  const { env } = session;
  const config = loadConfig(toConfigInput(session, {}));
  const { registry, cache, cache_mode, overlay } = config;
  const chosen = chooseRoot({
    destination: undefined,
    roots: [],
    materialize_root: env['CATALOG_MATERIALIZE_ROOT'] || undefined,
    surroundings: session,
  });
  return {
    registry: registry?.value,
    identity: await describeIdentity(config, session.signal),
    harness: env['CATALOG_HARNESS'] || 'none',
    cache_mode: cache_mode?.value ?? 'always-revalidate',
    cache: cache.value,
    overlay: overlay !== undefined && existsSync(overlay.value) ? overlay.value : undefined,
    writes_to: chosen.kind === 'root' ? chosen.root : undefined,
  };
}

/** Describes the identity from local data. */
async function describeIdentity(config: Config, signal: AbortSignal): Promise<string> {
  const state = await getSignInState(config, signal);
  if (state.kind === 'signed-in')
    return `${state.subject ?? 'unknown user'}, token from ${state.source}`;
  return state.kind === 'unreadable' ? `not signed in: ${state.message}` : 'not signed in';
}
