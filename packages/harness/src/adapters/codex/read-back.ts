import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type {
  AdoptReaders,
  SkippedContent,
  ProductDocument,
  Reading,
} from '../../adopt/adopt-source.ts';
import { canonicalServers, given } from '../../adopt/agent-keys-back.ts';
import { mcpServerEntry } from './mcp-servers.ts';

export const codexReaders: AdoptReaders = { agent: readAgent, server: commonServer };

function readAgent({ values }: ProductDocument): Reading | SkippedContent {
  const {
    name: _name,
    description,
    developer_instructions: body,
    model_reasoning_effort: effort,
    sandbox_mode,
    sandbox_workspace_write,
    mcp_servers,
    ...kept
  } = values;
  if (typeof body !== 'string') return { left: 'it has no developer_instructions' };
  const changes: string[] = ['developer_instructions is its prose'];
  if (effort !== undefined) changes.push('model_reasoning_effort is effort_hint');
  const profile = profileOf(sandbox_mode, sandbox_workspace_write);
  if (profile !== undefined) changes.push(`sandbox_mode is sandbox_profile ${profile}`);
  return {
    values: {
      ...given('description', description),
      ...kept,
      ...given('effort_hint', effort),
      ...given('sandbox_profile', profile),
      ...(profile === undefined ? given('sandbox_mode', sandbox_mode) : {}),
      ...canonicalServers(mcp_servers, mcpServerEntry, changes, commonServer),
    },
    body,
    changes,
  };
}

function profileOf(mode: Json | undefined, workspace: Json | undefined): string | undefined {
  if (mode === 'read-only') return 'read-only-fs';
  const isolated = isJsonObject(workspace) && workspace['network_access'] === false;
  return mode === 'workspace-write' && isolated ? 'network-isolated' : undefined;
}

function commonServer(entry: JsonObject): JsonObject {
  const { env_vars, bearer_token_env_var, http_headers, env_http_headers, env, ...kept } = entry;
  const handed = Array.isArray(env_vars) ? env_vars.filter((name) => typeof name === 'string') : [];
  const variables = Object.fromEntries(handed.map((name) => [name, `\${secret:${name}}`]));
  const headers = {
    ...(typeof bearer_token_env_var === 'string'
      ? { Authorization: `Bearer \${secret:${bearer_token_env_var}}` }
      : {}),
    ...(isJsonObject(http_headers) ? http_headers : {}),
    ...referred(env_http_headers),
  };
  const all = { ...(isJsonObject(env) ? env : {}), ...variables };
  return {
    ...kept,
    ...(Object.keys(all).length === 0 ? {} : { env: all }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

function referred(headers: Json | undefined): JsonObject {
  if (!isJsonObject(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([header, name]) =>
      typeof name === 'string' ? [[header, `\${secret:${name}}`]] : [],
    ),
  );
}
