import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type {
  HarnessAdapter,
  ManagedEntry,
  McpConfig,
  McpConfigFile,
  OtherSystem,
} from './adapter.ts';
import { editManagedFile } from './managed/edit-managed-file.ts';
import type { McpServer } from '@catalog/core/artifact/mcp-server';

/** Operating system; all others use the paths of Linux. */
export type System = 'linux' | OtherSystem;

export type McpScope = 'project' | 'user';

export interface McpRegistration {
  scope: McpScope;
  /** Path relative to the workspace or the home folder. */
  path: string;
  entry: ManagedEntry;
}

export interface McpRequest {
  /** Registry; undefined for a folder, or if a `sync.yaml` names it. */
  registry: string | undefined;
  /** Scope; if undefined, `project` if the harness has such a file, otherwise `user`. */
  scope: McpScope | undefined;
  system: System;
}

const PROGRAM = 'catalog-mcp';
const NAME = 'catalog';

/** Plans the entry of catalog's MCP server. Throws an error with an alternative if the harness rejects it (MCPCFG). */
export function registerMcp(adapter: HarnessAdapter, request: McpRequest): McpRegistration {
  const { id, mcp_config: config } = adapter;
  if ('refused' in config) throw unsupportedHarness(id, config.refused);
  const { scope, file } = chooseFile(id, config, request);
  const server = catalogServer(id, request.registry);
  const refused = config.refuses?.(server);
  if (refused !== undefined) throw unsupportedHarness(id, refused);
  const { path, container, recorded } = file;
  const value = config.entry(server);
  return {
    scope,
    path,
    entry: { shape: 'map', container, key: NAME, artifact_id: PROGRAM, value, recorded },
  };
}

function catalogServer(harness: string, registry: string | undefined): McpServer {
  return {
    kind: 'local',
    transport: undefined,
    command: PROGRAM,
    args: [],
    env: {
      ...(registry === undefined ? {} : { CATALOG_REGISTRY: registry }),
      CATALOG_HARNESS: harness,
    },
  };
}

function unsupportedHarness(id: string, refused: string): CatalogError {
  return new CatalogError(
    'config.invalid',
    `${id} takes no ${PROGRAM}: ${refused}. Nothing was written.`,
    { details: { key: 'harness', value: id }, suggested_action: formatAlternative(refused) },
  );
}

function formatAlternative(refused: string): string {
  const [, way] = refused.split('; ');
  if (way === undefined) return 'Pick another of the harnesses that `catalog harness list` prints.';
  return `${way.slice(0, 1).toUpperCase()}${way.slice(1)}.`;
}

function chooseFile(
  id: string,
  { project, user }: McpConfig,
  { scope, system }: McpRequest,
): { scope: McpScope; file: McpConfigFile } {
  const files = { project, user: user === undefined || 'path' in user ? user : user[system] };
  const chosen = scope ?? (project === undefined ? 'user' : 'project');
  const file = files[chosen];
  if (file !== undefined) return { scope: chosen, file };
  const other = chosen === 'project' ? 'user' : 'project';
  throw new CatalogError('config.invalid', `${id} reads no MCP servers from ${PLACES[chosen]}.`, {
    details: { key: 'scope', value: chosen, available: [other] },
    suggested_action: `Use --scope ${other}.`,
  });
}

const PLACES: Readonly<Record<McpScope, string>> = {
  project: 'a file of the project',
  user: 'a file of the home folder',
};

export function registrationText({ path, entry }: McpRegistration): string {
  return editManagedFile(undefined, [{ ...entry, recorded: 'lock' }], undefined, path).text ?? '';
}
