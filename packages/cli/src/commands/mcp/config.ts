import { loadAdapters } from '@catalog/consumer/adapters/load-adapters';
import { isAddress } from '@catalog/consumer/config/is-address';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config, Sourced } from '@catalog/consumer/config/types';
import { defaultDecision } from '@catalog/consumer/trust/content-policy';
import { requireTrust } from '@catalog/consumer/trust/require-trust';
import { trustLaunch } from '@catalog/consumer/trust/approve-launch';
import { isJsonObject } from '@catalog/core/json';
import { noRegistry } from '@catalog/consumer/source/no-registry';
import {
  removeManualEntry,
  writeManualEntry,
  type ManualEntry,
  type ManualEntryResult,
} from '@catalog/consumer/sync/manual-entry';
import {
  registerMcp,
  registrationText,
  type McpRegistration,
} from '@catalog/harness/mcp-registration';
import { loadAdapter } from '@catalog/harness/registry';
import { openConnection } from '@catalog/sdk/connection';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { styled, type Line } from '../../output/text.ts';
import { toConfigInput } from '../config-flags.ts';
import { noteWarnings } from '../note-warnings.ts';
import { askConsent } from '../sync/ask-consent.ts';
import { askTrust } from '../sync/ask-trust.ts';
import { noteWaiting } from '../sync/deliver.ts';
import { currentSystem } from './current-system.ts';
import { readLaunch } from './doctor/find-launch.ts';
import type { mcpConfigDefinition } from './definition.ts';

type Input = CommandInput<typeof mcpConfigDefinition>;

export async function run(
  { flags, arguments: given }: Input,
  session: Session,
): Promise<CommandResult> {
  const { registry } = flags;
  const config = loadConfig(toConfigInput(session, registry === undefined ? {} : { registry }));
  noteWarnings(config, session);
  const known = await loadAdapters(config, { trust: flags.trust, confirmTrust: askTrust(session) });
  const registration = registerMcp(loadAdapter(given.harness, 'workspace', known), {
    registry: config.registry?.value,
    scope: flags.scope,
    system: currentSystem(),
  });
  const standing: ManualEntry = {
    directory: registration.scope === 'user' ? config.home : config.workspace,
    home: config.home,
    adapters: known,
    path: registration.path,
    harness: given.harness,
    entry: registration.entry,
  };
  if (flags.remove) return remove(standing, session);
  if (config.registry === undefined) throw noRegistry(config);
  // A URL that no client accepts is rejected, such as one with a password.
  if (isAddress(config.registry.value)) openConnection({ registry: config.registry.value });
  else noteFolder(config.registry.value, session);
  if (flags.write) await requireRegistry(config, config.registry, flags.trust, session);
  return flags.write
    ? write(standing, registration, flags.yes, config.trust_file, session)
    : show(standing, registration, session);
}

/**
 * Asks before a registry is written that only files of the workspace name. In the environment of the server, it would
 * count as named by the user and get a token.
 */
async function requireRegistry(
  config: Config,
  registry: Sourced<string>,
  trust: boolean,
  session: Session,
): Promise<void> {
  if (!isAddress(registry.value) || defaultDecision(registry, config).verdict === 'allow') return;
  const file = config.files.findLast(({ content }) => content.defaults?.registry !== undefined);
  if (file === undefined) return;
  const wants = [
    `make ${registry.value} the registry of catalog-mcp, which sends your token to it`,
  ];
  await requireTrust(config, file, wants, { trust, confirmTrust: askTrust(session) });
}

/** The server prints this too, where the user does not see it. */
function noteFolder(registry: string, session: Session): void {
  const folder = shortPath(registry, session);
  session.note([
    styled('yellow', 'warning'),
    `: ${folder} is a folder, but catalog-mcp needs a server (config.filesystem_registry_unsupported): start one with \`catalog serve --layer-path ${folder}\`, and pass its URL with --registry`,
  ]);
}

function pathOf({ directory, path }: ManualEntry): string {
  return `${directory}/${path}`;
}

function show(
  standing: ManualEntry,
  registration: McpRegistration,
  session: Session,
): CommandResult {
  const text = registrationText(registration);
  return {
    lines: [
      [styled('bold', shortPath(pathOf(standing), session))],
      '',
      ...text.trimEnd().split('\n'),
      '',
      'Next: to merge the entry into that file, add --write.',
    ],
    json: { ...toDocument(standing, registration), text, change: 'none' },
  };
}

async function write(
  standing: ManualEntry,
  registration: McpRegistration,
  yes: boolean,
  trust_file: string,
  session: Session,
): Promise<CommandResult> {
  const asks = registration.scope === 'user' && !yes;
  const confirm = askConsent(session) ?? (() => Promise.resolve(false));
  const result = await writeManualEntry(
    standing,
    { onWait: (holder) => noteWaiting(holder, session), ...(asks ? { consent: confirm } : {}) },
    session.signal,
  );
  const { value } = standing.entry;
  const launch = isJsonObject(value) ? readLaunch(value) : undefined;
  if (registration.scope === 'project' && launch !== undefined) {
    trustLaunch(launch, pathOf(standing), trust_file);
  }
  const file = shortPath(pathOf(standing), session);
  const summary = {
    unchanged: `${file} already has the entry.`,
    added: `Created ${file} with the catalog-mcp entry`,
    changed: `Added the catalog-mcp entry to ${file}`,
    removed: '',
  }[result.change];
  return {
    lines: [summary, ...keptLines(result), ...(result.change === 'unchanged' ? [] : [NEXT])],
    json: { ...toDocument(standing, registration), ...result },
  };
}

const NEXT = 'Next: restart the harness, which reads its MCP servers at startup.';

async function remove(standing: ManualEntry, session: Session): Promise<CommandResult> {
  const { directory, path, harness } = standing;
  const result = await removeManualEntry(
    standing,
    { onWait: (holder) => noteWaiting(holder, session) },
    session.signal,
  );
  const file = shortPath(pathOf(standing), session);
  const summary = {
    unchanged: `Nothing to remove: ${file} has no entry from catalog`,
    added: '',
    changed: `Removed the catalog-mcp entry from ${file}`,
    removed: `Removed ${file}, which contained only the catalog-mcp entry`,
  }[result.change];
  return {
    lines: [summary, ...keptLines(result)],
    json: { harness, path: `${directory}/${path}`, ...result },
  };
}

function keptLines({ kept }: ManualEntryResult): Line[] {
  return kept.map(({ path, kept_at }): Line => [
    styled('yellow', 'kept'),
    ` ${path}: you edited it; your version is in ${kept_at}`,
  ]);
}

function toDocument(standing: ManualEntry, { scope, entry }: McpRegistration): object {
  const { container, key, value } = entry;
  return {
    harness: standing.harness,
    scope,
    path: pathOf(standing),
    entry: { container, key, value },
  };
}
