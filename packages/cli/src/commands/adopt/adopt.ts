import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { idProblem } from '@catalog/core/artifact/reference';
import { expandHome } from '@catalog/core/text/expand-home';
import {
  adoptWorkspace,
  type AdoptReport,
  type AdoptRequest,
} from '@catalog/consumer/adopt/adopt-workspace';
import { adoptPlugins, MCP_REGISTRY } from '@catalog/consumer/adopt/adopt-plugins';
import { SERVER_MANIFEST } from '@catalog/harness/adopt/plugins/plugin-format';
import { harnessNames } from '@catalog/consumer/config/harness-names';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { openRegistryFolder, refuseAddress } from '../registry-folder.ts';
import type { adoptDefinition } from './definition.ts';
import { renderAdoption } from './render-adoption.ts';

type Input = CommandInput<typeof adoptDefinition>;

export function run(input: Input, session: Session): CommandResult {
  if (input.flags.plugin !== undefined) return runPlugin(input, input.flags.plugin, session);
  const request = toRequest(input, session);
  const report = adoptWorkspace(request);
  return {
    lines: renderAdoption(report, request, session),
    json: toDocument(report, request),
  };
}

function runPlugin({ flags }: Input, plugin: string, session: Session): CommandResult {
  const path = resolve(session.cwd, expandHome(plugin, session.home));
  const isServer = basename(path) === SERVER_MANIFEST;
  const request = {
    from: isServer ? dirname(path) : path,
    into: toRegistryFolder(flags.into, session),
    harness: isServer ? MCP_REGISTRY : flags.harness,
    domain: toDomain(flags.domain ?? ''),
    dry_run: flags['dry-run'],
  };
  const report = isFolder(request.from)
    ? adoptPlugins(request)
    : { reason: 'is not a folder that exists' };
  if ('reason' in report) {
    throw usageError(
      `${plugin} ${report.reason}.`,
      'Pass the folder of a plugin, an extension or a marketplace, or a server.json, with --plugin.',
      { command: 'adopt', argument: '--plugin' },
    );
  }
  return {
    lines: renderAdoption(report, request, session),
    json: { from: request.from, into: request.into, dry_run: request.dry_run, ...report },
  };
}

function toRequest({ flags }: Input, session: Session): AdoptRequest {
  const { harness, domain = '', scope = 'workspace' } = flags;
  return {
    from: scope === 'user' ? session.home : toWorkspace(flags.from ?? '.', session),
    into: toRegistryFolder(flags.into, session),
    harnesses: harness === undefined ? undefined : harnessNames(harness),
    scope,
    domain: toDomain(domain),
    dry_run: flags['dry-run'],
  };
}

function toWorkspace(from: string, session: Session): string {
  const folder = resolve(session.cwd, expandHome(from, session.home));
  if (isFolder(folder)) return folder;
  throw usageError(
    `The folder ${from} does not exist.`,
    'Pass the workspace folder with --from, or run the command inside it.',
    { command: 'adopt', argument: '--from' },
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function toRegistryFolder(into: string | undefined, session: Session): string {
  if (into === undefined) {
    throw usageError(
      'adopt needs --into, the registry folder to write to.',
      'Run `catalog adopt --into ./registry`. To preview, add --dry-run.',
      { command: 'adopt', argument: '--into' },
    );
  }
  refuseAddress(into);
  const path = resolve(session.cwd, expandHome(into, session.home));
  if (existsSync(path) && !isFolder(path)) {
    throw usageError(
      `${into} is a file, not a folder.`,
      'Pass a folder with --into; it is created if missing.',
      { command: 'adopt', argument: '--into' },
    );
  }
  const folder = openRegistryFolder(path);
  if (!folder.multi_layer) return folder.path;
  throw usageError(
    `${into} has layers; choose one to write to.`,
    folder.layers.length === 0
      ? `Create a folder for a layer, and pass it: --into ${into}/<layer>.`
      : `Pass the folder of a layer: ${folder.layers.map((layer) => `--into ${into}/${layer}`).join(', ')}.`,
    { command: 'adopt', argument: '--into' },
  );
}

function toDomain(domain: string): string {
  const plain = domain.replaceAll(/^\/+|\/+$/g, '');
  const problem = plain === '' ? undefined : idProblem(plain);
  if (problem === undefined) return plain;
  throw usageError(
    `--domain ${domain} is not a valid id prefix: it ${problem}.`,
    'Separate segments with /, such as `--domain team/web`.',
    { command: 'adopt', argument: '--domain' },
  );
}

function toDocument(report: AdoptReport, { from, into, dry_run }: AdoptRequest): object {
  return { from, into, dry_run, ...report };
}
