import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Json } from '@catalog/core/json';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import {
  registerMcp,
  registrationText,
  type McpRegistration,
  type McpRequest,
} from './mcp-registration.ts';
import { adapters, loadAdapter } from './registry.ts';

const ADDRESS = 'https://registry.example';

function register(harness: string, request: Partial<McpRequest> = {}): McpRegistration {
  return registerMcp(loadAdapter(harness), {
    registry: ADDRESS,
    scope: undefined,
    system: 'linux',
    ...request,
  });
}

function placeOf(harness: string, request?: Partial<McpRequest>): Json[] {
  const { scope, path, entry } = register(harness, request);
  return [scope, path, [...entry.container, entry.key].join('.'), entry.value];
}

function refusalOf(harness: string, request?: Partial<McpRequest>): CatalogError {
  try {
    register(harness, request);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

const env = (harness: string): Json => ({ CATALOG_REGISTRY: ADDRESS, CATALOG_HARNESS: harness });
const plain = (harness: string): Json => ({ command: 'catalog-mcp', env: env(harness) });

describe("entry for catalog's MCP server", () => {
  verifies(
    'MCPCFG-01',
    'for harness-a is a member of mcpServers, in the project or for the user',
    () => {
      const entry = ['mcpServers.catalog', plain('harness-a')];
      expect(placeOf('harness-a')).toEqual(['project', '.mcp.json', ...entry]);
      expect(placeOf('harness-a', { scope: 'user' })).toEqual([
        'user',
        '.harness-a.json',
        ...entry,
      ]);
    },
  );

  verifies(['MCPCFG-02', 'HB-08'], 'for harness-b is in a JSON file of the user', () => {
    const path = '.config/harness-b/harness_b_config.json';
    expect(placeOf('harness-b')).toEqual(['user', path, 'mcpServers.catalog', plain('harness-b')]);
    expect(refusalOf('harness-b', { scope: 'project' })).toMatchObject({
      code: 'config.invalid',
      suggested_action: 'Use --scope user.',
    });
  });

  verifies(
    'MCPCFG-03',
    'for harness-d is a member of mcpServers, in the project or in the home directory',
    () => {
      const entry = ['.harness-d/mcp.json', 'mcpServers.catalog', plain('harness-d')];
      expect(placeOf('harness-d')).toEqual(['project', ...entry]);
      expect(placeOf('harness-d', { scope: 'user' })).toEqual(['user', ...entry]);
    },
  );

  verifies('MCPCFG-04', 'for harness-e has a list as its command, and an environment', () => {
    const value = {
      type: 'local',
      command: ['catalog-mcp'],
      enabled: true,
      environment: env('harness-e'),
    };
    expect(placeOf('harness-e')).toEqual(['project', 'opencode.json', 'mcp.catalog', value]);
    const [scope, path, place] = placeOf('harness-e', { scope: 'user' });
    expect([scope, path, place]).toEqual([
      'user',
      '.config/harness-e/opencode.json',
      'mcp.catalog',
    ]);
  });

  verifies('MCPCFG-05', 'for harness-f is a table of its configuration', () => {
    expect(placeOf('harness-f')).toEqual([
      'project',
      '.harness-f/config.toml',
      'mcp_servers.catalog',
      plain('harness-f'),
    ]);
    expect(registrationText(register('harness-f'))).toContain('CATALOG_HARNESS = "harness-f"');
  });

  verifies('MCPCFG-06', 'for harness-g is a member of its settings', () => {
    const place = ['.harness-g/settings.json', 'mcpServers.catalog'];
    expect(placeOf('harness-g')).toEqual(['project', ...place, plain('harness-g')]);
  });

  verifies('MCPCFG-07', 'for harness-i is YAML in the home directory', () => {
    expect(placeOf('harness-i')).toEqual([
      'user',
      '.harness-i/config.yaml',
      'mcp_servers.catalog',
      plain('harness-i'),
    ]);
    const text = registrationText(register('harness-i'));
    expect(text).toMatch(/^mcp_servers:\n {2}catalog:\n/);
    expect(text).toContain('command: catalog-mcp\n');
  });

  test('has a path that depends on the operating system', () => {
    const paths = (['linux', 'darwin', 'win32'] as const).map(
      (system) => register('claude-desktop', { system }).path,
    );
    expect(new Set(paths).size).toBe(3);
  });

  test('is rejected if the product does not support such a server', () => {
    const adapter = loadAdapter('harness-a');
    if ('refused' in adapter.mcp_config) throw new Error('harness-a takes servers');
    const refuses = (): string => 'it starts no programs; use the address of one';
    const picky = { ...adapter, mcp_config: { ...adapter.mcp_config, refuses } };
    const request = { registry: ADDRESS, scope: undefined, system: 'linux' } as const;
    expect(() => registerMcp(picky, request)).toThrow(/harness-a takes no catalog-mcp: it starts/);
  });

  test('has no registry if a sync.yaml names one', () => {
    const [, , , value] = placeOf('harness-a', { registry: undefined });
    expect(value).toEqual({ command: 'catalog-mcp', env: { CATALOG_HARNESS: 'harness-a' } });
  });

  test.each([...adapters.keys()])('for %s is available, or rejected with an alternative', (id) => {
    const { mcp_config } = loadAdapter(id);
    if ('refused' in mcp_config) {
      expect(refusalOf(id).suggested_action).toMatch(/^[A-Z`].*\.$/);
    } else {
      expect(registrationText(register(id))).toContain('catalog-mcp');
      expect(registrationText(register(id))).toContain(id);
    }
  });
});
