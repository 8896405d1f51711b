import { PluginError, type PluginErrorCode } from '@catalog/contract/errors/plugin-error';
import type { Artifact } from '@catalog/core/artifact/types';
import type { ArtifactCheck } from '@catalog/core/ingest/decide-layer';
import type { ProviderFinding, TypeProvider } from '@catalog/core/lint/context';
import type { LayerSource } from '@catalog/core/ports/layer-source';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { Plugins } from './load-plugins.ts';
import type { Objection, Plugin, PluginArtifact, PluginLayer, PluginType } from './plugin.ts';

export function toTypeProviders({ types }: Plugins): ReadonlyMap<string, TypeProvider> {
  return new Map(
    [...types].map(([name, { owner, type }]) => [
      name,
      { validate: (artifact) => validate(type, owner, artifact) },
    ]),
  );
}

function validate(type: PluginType, owner: string, artifact: Artifact): ProviderFinding[] {
  try {
    return (type.validate?.(toPluginArtifact(artifact)) ?? []).map(
      ({ severity, message, fix, path }) => ({
        severity,
        message,
        ...(fix === undefined ? {} : { fix }),
        ...(path === undefined ? {} : { path }),
      }),
    );
  } catch (error) {
    return [{ severity: 'error', ...brokenPlugin(owner, error) }];
  }
}

/** Returns the artifact checks of all plugins. A check that throws rejects the artifact. */
export function toArtifactChecks({ plugins, codes }: Plugins): ArtifactCheck[] {
  return plugins.flatMap((plugin) => {
    if (plugin.checkArtifact === undefined) return [];
    const check: ArtifactCheck = (artifact) => {
      try {
        const objection = plugin.checkArtifact?.(toPluginArtifact(artifact));
        if (objection === undefined) return undefined;
        const { code, suggested_action } = loadCode(objection, codes);
        return { code, message: objection.message, fix: objection.fix ?? suggested_action };
      } catch (error) {
        return { code: 'ingest.invalid_artifact', ...brokenPlugin(plugin.name, error) };
      }
    };
    return [check];
  });
}

/** Returns a source that reads a layer only if no plugin objects to it. */
export function guardSource(source: LayerSource, plugins: Plugins): LayerSource {
  if (!plugins.plugins.some((plugin) => 'checkLayer' in plugin)) return source;
  return {
    read(tenant, layer, request, signal) {
      for (const plugin of plugins.plugins) checkLayerWithPlugins(plugin, layer, plugins.codes);
      return source.read(tenant, layer, request, signal);
    },
    probe: (tenant, layer, signal) => source.probe(tenant, layer, signal),
  };
}

function checkLayerWithPlugins(plugin: Plugin, layer: LayerRecord, codes: Plugins['codes']): void {
  const objection = plugin.checkLayer?.(toPluginLayer(layer));
  if (objection === undefined) return;
  const code = loadCode(objection, codes);
  const suggested_action = objection.fix ?? code.suggested_action;
  throw new PluginError({ ...code, suggested_action }, objection.message);
}

function loadCode({ code }: Objection, codes: Plugins['codes']): PluginErrorCode {
  const registered = codes.get(code);
  if (registered !== undefined) return registered;
  throw new TypeError(`it returned the code ${code}, which no plugin registers`);
}

/** Creates the error for a plugin that throws, which the operator must fix, not the author of the artifact. */
function brokenPlugin(name: string, error: unknown): { message: string; fix: string } {
  const why = error instanceof Error ? error.message : String(error);
  return {
    message: `The plugin ${name} could not check it: ${why}.`,
    fix: 'Ask the operator of the registry to check the plugin.',
  };
}

function toPluginArtifact(artifact: Artifact): PluginArtifact {
  const { id, layer, type, version, name, description, manifest, body, resources } = artifact;
  return {
    id,
    layer,
    type,
    version,
    name,
    description,
    frontmatter: structuredClone({ ...manifest?.values }),
    body,
    files: resources.map(({ path, bytes, executable }) => ({
      path,
      size: bytes.length,
      executable,
    })),
  };
}

function toPluginLayer(layer: LayerRecord): PluginLayer {
  const { id, source_type, repo, ref, root, user_defined, owner } = layer;
  return { id, source_type, repo, ref, root, user_defined, owner };
}
