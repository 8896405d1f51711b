import type { Artifact, ArtifactFields, Manifest, McpServerField } from '../../artifact/types.ts';
import type { ValuePath } from '../../manifest/locate.ts';
import { NOTHING, atField, atOffset, type Finding } from '../finding.ts';
import { findSecret, findTokens } from '../secrets.ts';

type ServerFields = Pick<ArtifactFields & McpServerField, 'args' | 'env' | 'headers' | 'url'>;

interface Literal {
  path: ValuePath;
  readings: Reading[];
}

interface Reading {
  name: string;
  value: string;
}

/** Reports secrets: an MCP server must use `${secret:NAME}` (SPEC-68), and no manifest may contain a known token. */
export function secretLiteral({ fields, manifest, skill }: Artifact): readonly Finding[] {
  const found: Finding[] = [];
  if (manifest !== undefined) {
    const inServers = secretsOfServers(fields, manifest);
    const { args, env, headers, url, mcpServers } = fields;
    const reported =
      inServers.length === 0 ? '' : JSON.stringify([args, env, headers, url, mcpServers]);
    found.push(...inServers, ...tokensIn(manifest, reported));
  }
  if (skill !== undefined) found.push(...tokensIn(skill));
  return found;
}

function secretsOfServers(fields: ArtifactFields, manifest: Manifest): readonly Finding[] {
  const { args, env, headers, url, mcpServers = [] } = fields;
  if (mcpServers.length === 0 && (args ?? env ?? headers ?? url) === undefined) return NOTHING;
  const literals = literalsOf(fields, []);
  for (const [index, server] of mcpServers.entries()) {
    literals.push(...literalsOf(server, ['mcpServers', index]));
  }
  return literals.flatMap((literal) => judge(literal, manifest));
}

function tokensIn(manifest: Manifest, reported = ''): Finding[] {
  return findTokens(manifest.text)
    .filter(({ token }) => !reported.includes(token))
    .map(({ offset }) => ({
      code: 'lint.secret_literal',
      message: 'This looks like a token.',
      fix: 'Replace it with a placeholder such as `<token>`, and revoke the token, because it was stored in a file.',
      place: atOffset(manifest, offset),
    }));
}

function judge({ path, readings }: Literal, manifest: Manifest): Finding[] {
  const secret = readings.find(({ name, value }) => findSecret(value, name) !== undefined);
  if (secret === undefined) return [];
  const reference = /^[A-Z][A-Z0-9_]*$/.test(secret.name) ? secret.name : 'NAME';
  return [
    {
      code: 'lint.secret_literal',
      message: `\`${spell(path)}\` looks like a secret.`,
      fix: `Write \`\${secret:${reference}}\` instead, and revoke the secret, because it was stored in a file.`,
      place: atField(manifest, ...path),
    },
  ];
}

function literalsOf(
  { args = [], env = {}, headers = {}, url }: ServerFields,
  at: ValuePath,
): Literal[] {
  return [
    ...args.map((_, index) => ({
      path: [...at, 'args', index],
      readings: readArgument(args, index),
    })),
    ...Object.entries(env).map(([name, value]) => ({
      path: [...at, 'env', name],
      readings: [{ name, value }],
    })),
    ...Object.entries(headers).map(([name, value]) => ({
      path: [...at, 'headers', name],
      readings: [{ name, value }],
    })),
    ...(url === undefined ? [] : [{ path: [...at, 'url'], readings: [{ name: '', value: url }] }]),
  ];
}

const NAMED = /^-{0,2}([A-Za-z][\w.-]*)(?:=|: *)(.*)$/s;
const FLAG = /^-{1,2}([A-Za-z][\w.-]*)$/;

/** Returns the value in `--token x`, `--token=x`, `TOKEN=x` and `Authorization: x`. */
function readArgument(args: readonly string[], index: number): Reading[] {
  const value = args[index] ?? '';
  const flag = value.startsWith('-') ? undefined : FLAG.exec(args[index - 1] ?? '')?.[1];
  const readings = [{ name: flag ?? '', value }];
  let named = NAMED.exec(value);
  while (named !== null && readings.length < 3) {
    const [, name = '', rest = ''] = named;
    readings.push({ name, value: rest });
    named = NAMED.exec(rest);
  }
  return readings;
}

function spell(path: ValuePath): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
    )
    .join('');
}
