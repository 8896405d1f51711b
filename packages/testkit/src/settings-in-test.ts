import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { loadSettings, type LoadedSettings } from '@catalog/server/config/load';
import { expect } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

export type Variables = Readonly<Record<string, string>>;

export function loadVariables(env: Variables): LoadedSettings {
  const home = temporaryFolder();
  return loadSettings({ cwd: home, home, env, flags: {} });
}

export function refusalOf(env: Variables): CatalogError {
  try {
    loadVariables(env);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  return expect.unreachable('it was taken');
}
