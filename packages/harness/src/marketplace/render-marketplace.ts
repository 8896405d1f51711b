import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { Artifact } from '@catalog/core/artifact/types';
import type { HarnessAdapter } from '../adapter.ts';
import { encodeText } from '../place/encode-text.ts';
import { type Placed, refuseUnsafePath } from '../place-artifacts.ts';
import type { Plan, PlannedEntry, PlannedFile, PlanOptions } from '../planned.ts';
import { adapters, loadAdapter } from '../registry.ts';
import { documentText } from './document-files.ts';
import { type FilledPlugin, fillPlugins, type PluginContent } from './fill-plugins.ts';
import type { ChosenFormat } from './find-format.ts';
import type { MarketplaceDocument, MarketplaceFormat, RenderedMarket } from './format.ts';
import { parseVersion } from '@catalog/core/version/version';

/** Hex digits of the content in a version. */
const DIGITS = 8;

/**
 * The version of a plugin (SPEC-67): the sum of its artifacts' versions, part by part, and of their
 * content the first digits. The same artifacts always give the same version, a raised one raises it,
 * and no change goes without another.
 */
function pluginVersion(
  artifacts: readonly Pick<Artifact, 'id' | 'version' | 'content_hash'>[],
  /** What else the rendering depends on. */
  about: readonly string[],
): string {
  const sum = { major: 0, minor: 0, patch: 0 };
  for (const { version } of artifacts) {
    const parsed = parseVersion(version);
    if (parsed === undefined) continue;
    sum.major += parsed.major;
    sum.minor += parsed.minor;
    sum.patch += parsed.patch;
  }
  const lines = artifacts.map(({ id, content_hash }) => `${id} ${content_hash}`).sort(compareBytes);
  const content = bytesHash(JSON.stringify([...about, ...lines]));
  const digits = content.slice('sha256:'.length, 'sha256:'.length + DIGITS);
  return `${sum.major}.${sum.minor}.${sum.patch}+${digits}`;
}

export interface MarketplaceInput {
  /** The id of the target. */
  name: string;
  description: string | undefined;
  plugins: readonly PluginContent[];
  formats: readonly ChosenFormat[];
}

/** What a repository shall hold. */
export interface MarketplaceRendering {
  /** Only whole files: nobody else writes into them. */
  plan: Plan;
  /** Each plugin in each format, with the artifacts that are in it. */
  plugins: { format: string; name: string; version: string; artifacts: string[] }[];
}

/**
 * Renders a marketplace for all its formats. Pure; the order of the artifacts makes no difference. What
 * a format has no component for is left out and reported (SPEC-38).
 */
export function renderMarketplace(
  { plugins, formats, ...market }: MarketplaceInput,
  options: PlanOptions,
  known: ReadonlyMap<string, HarnessAdapter> = adapters,
): MarketplaceRendering {
  const plan: Plan = { files: [], entries: [], unsupported: [], fallbacks: [], left_out: [] };
  const rendering: MarketplaceRendering = { plan, plugins: [] };
  const sorted = plugins.map((plugin) => ({
    ...plugin,
    artifacts: plugin.artifacts.map(withoutEvals).toSorted((a, b) => compareBytes(a.id, b.id)),
  }));
  for (const { format, readers } of formats) {
    const landing =
      format.landing === undefined ? undefined : loadAdapter(format.landing, 'workspace', known);
    const filled = fillPlugins(sorted, { format, landing, readers }, options, plan);
    addFormat(market, filled, format, rendering);
  }
  plan.files.sort((a, b) => compareBytes(a.path, b.path));
  return rendering;
}

const EVALS_FOLDER = 'evals/';

/** Leaves out the trigger tests, which are for the authors of an artifact and not for its users. */
function withoutEvals(artifact: Artifact): Artifact {
  const resources = artifact.resources.filter(({ path }) => !path.startsWith(EVALS_FOLDER));
  return resources.length === artifact.resources.length ? artifact : { ...artifact, resources };
}

type About = Pick<MarketplaceInput, 'name' | 'description'>;

function addFormat(
  about: About,
  filled: readonly FilledPlugin[],
  format: MarketplaceFormat,
  { plan, plugins }: MarketplaceRendering,
): void {
  // A plugin nobody would get anything of is not offered; an extension is there even so.
  const offered = filled.filter(
    ({ artifacts }) => artifacts.length > 0 || format.plugins === 'one',
  );
  const market = toMarket(about, offered, format);
  const entries = offered.flatMap(({ placed }) => placed.entries);
  plan.files.push(
    ...offered.flatMap(({ placed }) => placed.files),
    ...documentFiles(market, format.documents(market), entries),
  );
  for (const [position, { version }] of market.plugins.entries()) {
    const { name: plugin = '', artifacts = [] } = offered[position] ?? {};
    const ids = artifacts.map(({ id }) => id);
    plugins.push({ format: format.id, name: plugin, version, artifacts: ids });
  }
}

function toMarket(
  about: About,
  filled: readonly FilledPlugin[],
  format: MarketplaceFormat,
): RenderedMarket {
  const revision = String(format.revision);
  return {
    ...about,
    version: pluginVersion(
      filled.flatMap(({ artifacts }) => artifacts),
      [revision, ...filled.flatMap(({ placed }) => contentLines(placed))],
    ),
    plugins: filled.map(({ name: plugin, description, folder, skills, artifacts, placed }) => ({
      name: plugin,
      description,
      version: pluginVersion(artifacts, [revision, description ?? '', ...contentLines(placed)]),
      folder,
      paths: new Set([...placed.files, ...placed.entries].map(({ path }) => path)),
      skills,
    })),
  };
}

/**
 * What artifacts became: their names and keys also depend on who imports the plugin and on what else
 * is in it.
 */
function contentLines({ files, entries }: Placed): string[] {
  return [
    ...files.map(({ path, bytes, executable }) =>
      [path, bytesHash(bytes), executable ? 'x' : ''].join(' '),
    ),
    ...entries.map(({ path, entry }) => JSON.stringify([path, entry])),
  ];
}

/** Documents with the entries that go into them, and files that consist of entries alone. */
function documentFiles(
  market: RenderedMarket,
  documents: readonly MarketplaceDocument[],
  entries: readonly PlannedEntry[],
): PlannedFile[] {
  const byPath = Map.groupBy(entries, ({ path }) => path);
  const own = new Map(documents.map((document) => [document.path, document]));
  const paths = [...new Set([...own.keys(), ...byPath.keys()])];
  return paths.map((path) => {
    const document = own.get(path);
    const into = byPath.get(path) ?? [];
    const bytes = encodeText(documentText(document?.content, into));
    refuseUnsafePath(market.name, path);
    return { path, bytes, executable: false, ...sourceOf(path, document, market) };
  });
}

/** The owner of documents that are about the marketplace as a whole. */
export function marketplaceOwner(name: string): string {
  return `marketplace:${name}`;
}

/** A document comes from no artifact: its lock row names the plugin, or the marketplace. */
function sourceOf(
  path: string,
  document: MarketplaceDocument | undefined,
  { name, version, plugins }: RenderedMarket,
): Omit<PlannedFile, 'path' | 'bytes' | 'executable'> {
  const plugin = plugins.find(
    (one) => one.name === document?.plugin || (document === undefined && one.paths.has(path)),
  );
  return {
    artifact_id: plugin === undefined ? marketplaceOwner(name) : `plugin:${plugin.name}`,
    version: plugin?.version ?? version,
    layer: '',
    content_hash: '',
  };
}
