import { basename } from 'node:path';
import { executableCapabilities } from '@catalog/core/capabilities/executable-capabilities';
import { formatCapability } from '@catalog/core/capabilities/format-capability';
import type { Adoption } from '@catalog/harness/adopt/adopt-files';
import { listPathsToRead } from '@catalog/harness/adopt/list-paths-to-read';
import type { AdoptSource } from '@catalog/harness/adopt/adopt-source';
import type { FoundFile } from '@catalog/harness/adopt/candidate';
import { adoptPlugin } from '@catalog/harness/adopt/plugins/adopt-plugin';
import {
  isPluginName,
  planPlugin,
  readManifest,
  SEMANTIC_VERSION,
  type PluginPlan,
} from '@catalog/harness/adopt/plugins/plan-plugin';
import {
  PLUGIN_FORMATS,
  SERVER_MANIFEST,
  type PluginFormat,
} from '@catalog/harness/adopt/plugins/plugin-format';
import {
  readMarketplace,
  type MarketplacePlugin,
} from '@catalog/harness/adopt/plugins/read-marketplace';
import { childPath } from '@catalog/harness/adopt/template-names';
import { wantedScripts } from '@catalog/harness/adopt/wanted-scripts';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { loadAdapter } from '@catalog/harness/registry';
import { refuseDirectory } from '../paths/refuse-directory.ts';
import { compareWithCatalog, type AdoptReport } from './adopt-workspace.ts';
import { WorkspaceReader, type SkippedPath } from './read-workspace.ts';

export interface PluginAdoptRequest {
  /** Folder of a plugin, an extension, a marketplace or a `server.json`. */
  from: string;
  into: string;
  /** Format of the folder; if undefined, the first one found. */
  harness: string | undefined;
  domain: string;
  dry_run: boolean;
}

/** Why a folder cannot be read as a plugin, as a phrase that follows its path. */
export interface PluginRejection {
  reason: string;
}

interface Plan {
  plan: Pick<PluginPlan, 'sources' | 'origin' | 'version' | 'members' | 'rejected'>;
  adapter: HarnessAdapter;
  manifest: string;
  root: string;
  without_type: readonly string[];
  domain: string;
}

/** Converts a plugin, an extension, every local plugin of a marketplace, or a `server.json`. */
export function adoptPlugins(request: PluginAdoptRequest): AdoptReport | PluginRejection {
  const { from, into, dry_run } = request;
  refuseDirectory(into, from, 'author');
  const reader = new WorkspaceReader(from);
  const found = findPlans(reader, request);
  if ('reason' in found) return found;
  const { plans, passed_over } = found;
  const results = plans.map((one) => readPlugin(reader, one));
  const { things, write } = compareWithCatalog(
    {
      things: results.flatMap((result) => result.things),
      packages: results.flatMap((result) => result.packages),
    },
    into,
  );
  const harnesses = [...new Set(plans.map(({ adapter }) => adapter.id))];
  return {
    harnesses,
    looked_at: plans.flatMap(({ plan }) => placesOf(plan.sources)),
    things,
    other_members: plans
      .filter(({ plan }) => plan.members.length > 0)
      .map(({ manifest, plan }) => ({ path: manifest, members: plan.members })),
    passed_over: [
      ...passed_over,
      ...plans.flatMap(({ plan }) => plan.rejected),
      ...plans.flatMap((one) => withoutType(reader, one)),
      ...reader.read({ folders: [], files: [] }).passed_over,
    ],
    files: write(dry_run),
    deliver_to: things.some(({ id }) => id !== null) ? harnesses.filter(isDeliverable) : [],
    originals: [],
    executable_content: results
      .flatMap(({ artifacts }) => artifacts)
      .filter(({ id }) => things.some((thing) => thing.id === id))
      .map((artifact) => ({
        id: artifact.id,
        content: executableCapabilities(artifact).map(formatCapability),
      }))
      .filter(({ content }) => content.length > 0),
  };
}

/** Format of a `server.json`, which belongs to no harness. */
export const MCP_REGISTRY = 'mcp-registry';

function isDeliverable(harness: string): boolean {
  return harness !== MCP_REGISTRY;
}

interface Plans {
  plans: Plan[];
  passed_over: SkippedPath[];
}

function findPlans(reader: WorkspaceReader, request: PluginAdoptRequest): Plans | PluginRejection {
  const { harness } = request;
  const formats = PLUGIN_FORMATS.filter((one) => harness === undefined || one.harness === harness);
  for (const format of formats) {
    const { marketplace = '' } = format;
    const list = marketplace === '' ? undefined : reader.find(marketplace);
    if (list !== undefined) return marketplacePlans(reader, format, list, request);
    if (reader.find(format.manifest) === undefined) continue;
    const made = pluginPlan(
      reader,
      format,
      { name: nameOf(request), root: '', entry: {} },
      request,
    );
    return 'reason' in made ? made : { plans: [made], passed_over: [] };
  }
  if (harness === undefined || harness === MCP_REGISTRY) {
    const file = reader.find(SERVER_MANIFEST);
    if (file !== undefined) return serverPlans(file, request);
  }
  const format_paths = formats.flatMap(({ manifest, marketplace = [] }) =>
    [manifest, marketplace].flat(),
  );
  const places = harness === undefined || harness === MCP_REGISTRY ? [SERVER_MANIFEST] : [];
  const all = [...format_paths, ...places];
  return all.length === 0
    ? { reason: `is not read for ${harness ?? ''}, which has no plugins that catalog reads` }
    : { reason: `has none of ${all.join(', ')}` };
}

function nameOf({ from }: PluginAdoptRequest): string {
  const name = basename(from);
  return isPluginName(name) ? name : 'plugin';
}

function marketplacePlans(
  reader: WorkspaceReader,
  format: PluginFormat,
  file: FoundFile,
  request: PluginAdoptRequest,
): Plans | PluginRejection {
  const manifest = readManifest(file);
  if ('left' in manifest) return { reason: `has a broken ${file.path}: ${manifest.left}` };
  const { plugins, rejected } = readMarketplace(manifest.values);
  const found: Plans = {
    plans: [],
    passed_over: rejected.map(({ name, reason }) => ({ path: `${file.path}#${name}`, reason })),
  };
  for (const plugin of plugins) {
    const reason = 'does not exist as a folder of the marketplace';
    const made =
      plugin.root === '' || reader.isReached(plugin.root)
        ? pluginPlan(reader, formatAt(reader, plugin.root, format), plugin, request)
        : { reason };
    if ('reason' in made) found.passed_over.push({ path: `${file.path}#${plugin.name}`, ...made });
    else found.plans.push(made);
  }
  return found;
}

/** Returns the format of a plugin in a marketplace, which may have the manifest of another product. */
function formatAt(reader: WorkspaceReader, root: string, format: PluginFormat): PluginFormat {
  const formats = [format, ...PLUGIN_FORMATS];
  return (
    formats.find(({ manifest }) => reader.find(childPath(root, manifest)) !== undefined) ?? format
  );
}

function pluginPlan(
  reader: WorkspaceReader,
  format: PluginFormat,
  { name, root, entry }: MarketplacePlugin,
  { domain }: PluginAdoptRequest,
): Plan | PluginRejection {
  const adapter = loadAdapter(format.harness);
  const find = (path: string): FoundFile | undefined => reader.find(path);
  const plan = planPlugin({ format, adapter, root, entry, fallback_name: name, find });
  const manifest = childPath(root, format.manifest);
  if ('left' in plan) return { reason: `has a broken ${manifest}: ${plan.left}` };
  return {
    plan,
    adapter,
    manifest,
    root,
    without_type: format.without_type,
    domain: domain === '' ? plan.name : `${domain}/${plan.name}`,
  };
}

function serverPlans(file: FoundFile, { domain }: PluginAdoptRequest): Plans | PluginRejection {
  const manifest = readManifest(file);
  if ('left' in manifest) return { reason: `has a broken ${file.path}: ${manifest.left}` };
  const { name, version } = manifest.values;
  const label = ['MCP server', name, version].filter((part) => typeof part === 'string').join(' ');
  const plan = {
    sources: [{ kind: 'server-manifest', path: file.path } as const],
    origin: label,
    version: typeof version === 'string' && SEMANTIC_VERSION.test(version) ? version : undefined,
    members: [],
    rejected: [],
  };
  const adapter = { ...loadAdapter('agents-md'), id: MCP_REGISTRY };
  const place = { manifest: file.path, root: '', without_type: [], domain };
  return { plans: [{ plan, adapter, ...place }], passed_over: [] };
}

function readPlugin(reader: WorkspaceReader, { plan, adapter, domain }: Plan): Adoption {
  const { sources } = plan;
  const { files } = reader.read(listPathsToRead(sources));
  reader.read({ folders: [], files: wantedScripts(sources, files) });
  return adoptPlugin(plan, files, adapter, domain);
}

function placesOf(sources: readonly AdoptSource[]): string[] {
  const { folders, files } = listPathsToRead(sources);
  return [...folders, ...files];
}

function withoutType(reader: WorkspaceReader, { root, without_type }: Plan): SkippedPath[] {
  return without_type
    .map((name) => childPath(root, name))
    .filter((path) => reader.isReached(path))
    .map((path) => ({ path, reason: 'has no matching artifact type' }));
}
