import { pathToFileURL } from 'node:url';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ERROR_NAMESPACES } from '@catalog/contract/errors/error-codes';
import type { PluginErrorCode } from '@catalog/contract/errors/plugin-error';
import { FIRST_CLASS_TYPES } from '@catalog/core/artifact/types';
import { pluginShape, type Plugin, type PluginType } from './plugin.ts';

export interface Plugins {
  plugins: readonly Plugin[];
  /** Types by name; `owner` is the plugin that defines the type. */
  types: ReadonlyMap<string, { owner: string; type: PluginType }>;
  codes: ReadonlyMap<string, PluginErrorCode>;
}

/** Loads plugins in the configured order. An invalid module stops startup. */
export async function loadPlugins(paths: readonly string[]): Promise<Plugins> {
  const plugins: Plugin[] = [];
  const types = new Map<string, { owner: string; type: PluginType }>();
  const codes = new Map<string, PluginErrorCode>();
  for (const path of paths) {
    const plugin = await loadPlugin(path);
    if (plugins.some(({ name }) => name === plugin.name)) {
      throw unusable(path, `another plugin is named ${plugin.name}`);
    }
    for (const [name, type] of Object.entries(plugin.artifact_types ?? {})) {
      const owner = FIRST_CLASS_TYPES.some((known) => known === name)
        ? 'the registry'
        : types.get(name)?.owner;
      if (owner !== undefined)
        throw unusable(path, `the type ${name} is already defined by ${owner}`);
      types.set(name, { owner: plugin.name, type });
    }
    for (const [code, { suggested_action }] of Object.entries(plugin.error_codes ?? {})) {
      if (isTaken(code, codes)) throw unusable(path, `the code ${code} is already registered`);
      codes.set(code, { code, suggested_action });
    }
    plugins.push(plugin);
  }
  return { plugins, types, codes };
}

function isTaken(code: string, codes: ReadonlyMap<string, unknown>): boolean {
  const namespace = code.slice(0, code.indexOf('.'));
  return ['lint', ...ERROR_NAMESPACES].includes(namespace) || codes.has(code);
}

async function loadPlugin(path: string): Promise<Plugin> {
  let module: { default?: unknown };
  try {
    module = await import(pathToFileURL(path).href);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw unusable(path, `it cannot be loaded: ${why}`, cause);
  }
  if (!isPlugin(module.default)) throw unusable(path, describeShape(module.default));
  return module.default;
}

function describeShape(exported: unknown): string {
  const [issue] = pluginShape.safeParse(exported).error?.issues ?? [];
  const reason = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  const where = ['its default export', ...(issue?.path ?? [])].join('.');
  return `${where}: ${reason ?? 'is not a plugin'}`;
}

function isPlugin(exported: unknown): exported is Plugin {
  return pluginShape.safeParse(exported).success;
}

function unusable(path: string, why: string, cause?: unknown): CatalogError {
  return new CatalogError('config.invalid', `The plugin ${path} cannot be used: ${why}.`, {
    details: { key: 'registry.plugins', path },
    suggested_action: 'Fix the module, or remove it from `registry.plugins`.',
    cause,
  });
}
