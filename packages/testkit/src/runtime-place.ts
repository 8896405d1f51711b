import { mkdirSync } from 'node:fs';
import type { CacheMode } from '@catalog/consumer/config/cache-modes';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config } from '@catalog/consumer/config/types';
import { openRuntimeRegistry } from '@catalog/consumer/runtime/open-runtime-registry';
import type { RuntimeRegistryOptions } from '@catalog/consumer/runtime/runtime-options';
import type { RuntimeRegistry } from '@catalog/consumer/runtime/runtime-registry';

export interface RuntimePlaceOptions extends Partial<RuntimeRegistryOptions> {
  env?: Readonly<Record<string, string>>;
}

export interface RuntimePlace {
  workspace: string;
  cache: string;
  configure(env?: Readonly<Record<string, string>>): Config;
  open(cache_mode: CacheMode, options?: RuntimePlaceOptions): RuntimeRegistry;
}

export function createRuntimePlace(folder: string, registry: string): RuntimePlace {
  const workspace = `${folder}/work`;
  const home = `${folder}/home`;
  mkdirSync(workspace, { recursive: true });
  mkdirSync(home, { recursive: true });
  const configure = (env: Readonly<Record<string, string>> = {}): Config =>
    loadConfig({ cwd: workspace, home, env: { CATALOG_REGISTRY: registry, ...env }, flags: {} });
  return {
    workspace,
    cache: `${home}/.catalog/cache`,
    configure,
    open: (cache_mode, { env, ...options } = {}) =>
      openRuntimeRegistry({ config: configure(env), cache_mode, ...options }),
  };
}

export function unsignedToken(sub: string): string {
  const encode = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode({ sub })}.none`;
}
