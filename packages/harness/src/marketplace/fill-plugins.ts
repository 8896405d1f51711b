import type { Artifact } from '@catalog/core/artifact/types';
import type { Capability, HarnessAdapter } from '../adapter.ts';
import { checkCapabilities } from '../check-capabilities.ts';
import { clashError, findClashes } from '../clashes.ts';
import { plainNames, qualifiedNames } from '../naming.ts';
import { addOperations, refusalOf, refuseUnsafeId, type Placed } from '../place-artifacts.ts';
import type { Plan, PlannedFile, PlanOptions } from '../planned.ts';
import { requiresOpenSkill, type Filling } from './filling.ts';
import type { MarketplaceFormat } from './format.ts';
import { closedKeys } from './open-skill.ts';
import { componentOf, placeComponent } from './place-component.ts';

export interface PluginContent {
  name: string;
  description: string | undefined;
  artifacts: readonly Artifact[];
}

export interface FilledPlugin extends PluginContent {
  /** Folder with a final `/`, such as `shared/ops/`, or empty. */
  folder: string;
  /** Placed files, with paths relative to the repository. */
  placed: Placed;
  skills: string[];
}

export function fillPlugins(
  plugins: readonly PluginContent[],
  filling: Filling,
  options: PlanOptions,
  plan: Plan,
): FilledPlugin[] {
  const taken = plugins.map((plugin) => ({
    ...plugin,
    artifacts: plugin.artifacts.filter((artifact) => isSupported(artifact, filling, plan)),
  }));
  const qualified = new Set<string>();
  for (;;) {
    const filled = taken.map((plugin) => fillPlugin(plugin, filling, qualified));
    const placed = filled.map((plugin) => plugin.placed);
    const clashes = findClashes(
      placed.flatMap(({ files }) => files),
      placed.flatMap(({ entries }) => entries),
    );
    if (clashes.length === 0) {
      plan.unsupported.push(...placed.flatMap(({ unsupported }) => unsupported));
      for (const { artifacts } of filled) noteFallbacks(artifacts, filling, plan);
      return filled;
    }
    const before = qualified.size;
    if (options.on_clash === 'qualify') {
      for (const { artifact_ids } of clashes) for (const id of artifact_ids) qualified.add(id);
    }
    if (qualified.size === before) throw clashError(clashes, filling.format.id, options);
  }
}

/** Returns false for artifacts that exclude the readers of the format, or that its product does not support. */
function isSupported(
  artifact: Artifact,
  { format, landing, readers }: Filling,
  plan: Plan,
): boolean {
  const { id: artifact_id, fields } = artifact;
  const { target_harnesses: targets = [] } = fields;
  if (targets.length > 0 && !targets.some((target) => readers.includes(target))) {
    const reason = `target_harnesses names only ${targets.join(', ')}`;
    plan.left_out.push({ artifact_id, reason });
    return false;
  }
  const capabilities = usedOf(artifact, format, landing, 'unsupported');
  if (landing === undefined || capabilities.length === 0) return true;
  const reason = refusalOf(landing, capabilities);
  plan.unsupported.push({ artifact_id, harness: format.id, capabilities, reason });
  return false;
}

/** Returns the features that depend on the destinations of the product. */
function usedOf(
  artifact: Artifact,
  format: MarketplaceFormat,
  landing: HarnessAdapter | undefined,
  support: 'unsupported' | 'fallback',
): Capability[] {
  const component = componentOf(artifact.type, format);
  if (landing === undefined || component === undefined) return [];
  const used = checkCapabilities(landing, artifact)[support];
  // Plugins support every skill, and every rule converted to one.
  const isSkill = artifact.type === 'skill' || component === 'skill';
  return isSkill ? used.filter((capability) => capability.startsWith('field:')) : used;
}

function noteFallbacks(artifacts: readonly Artifact[], filling: Filling, plan: Plan): void {
  const { format, landing } = filling;
  for (const artifact of artifacts) {
    const { id: artifact_id, type, fields } = artifact;
    for (const capability of usedOf(artifact, format, landing, 'fallback')) {
      const reason = landing?.fallbacks[capability] ?? `${format.id} has no equivalent`;
      plan.fallbacks.push({ artifact_id, capability, reason });
    }
    if (componentOf(type, format) === 'skill') {
      const capability = `rule_mode:${fields.rule_mode ?? 'always'}` as const;
      const reason = `${format.id} plugins have no rules, so it ships as a skill, which is loaded when its description fits`;
      plan.fallbacks.push({ artifact_id, capability, reason });
    }
    const closed = type === 'skill' && requiresOpenSkill(filling) ? closedKeys(artifact) : [];
    if (closed.length > 0) {
      const reason = `${closed.join(', ')} of its SKILL.md is left out: who imports this takes the keys of the Agent Skills specification only`;
      plan.fallbacks.push({ artifact_id, capability: 'type:skill', reason });
    }
    const isMoved = type !== 'skill' && componentOf(type, format) !== 'skill';
    for (const warning of isMoved ? (landing?.warnings?.(artifact) ?? []) : []) {
      plan.fallbacks.push({ artifact_id, ...warning });
    }
  }
}

function fillPlugin(
  plugin: PluginContent,
  filling: Filling,
  qualified: ReadonlySet<string>,
): FilledPlugin {
  const { format } = filling;
  const folder = format.plugins === 'many' ? `${format.id}/${plugin.name}/` : '';
  const placed: Placed = { files: [], entries: [], unsupported: [] };
  const artifacts: Artifact[] = [];
  const skills: string[] = [];
  for (const artifact of plugin.artifacts) {
    const { id: artifact_id } = artifact;
    const names = qualified.has(artifact_id)
      ? qualifiedNames(artifact_id)
      : plainNames(artifact_id);
    refuseUnsafeId(artifact_id);
    const result = placeComponent(artifact, filling, names);
    if ('untranslatable' in result) {
      const reason = result.untranslatable;
      placed.unsupported.push({ artifact_id, harness: format.id, capabilities: [], reason });
      continue;
    }
    artifacts.push(artifact);
    if (artifact.type === 'skill') skills.push(names.name);
    const operations = result.map((operation) => ({ ...operation, path: folder + operation.path }));
    addOperations(placed, artifact, operations);
  }
  return {
    ...plugin,
    folder,
    artifacts,
    skills,
    placed: { ...placed, files: deduplicateScripts(placed.files) },
  };
}

function deduplicateScripts(files: readonly PlannedFile[]): PlannedFile[] {
  const shims = new Set<string>();
  return files.filter(({ path }) => {
    if (!SHIM.test(path)) return true;
    const isFirst = !shims.has(path);
    shims.add(path);
    return isFirst;
  });
}

const SHIM = /(?:^|\/)\.catalog\/hooks\//;
