import type { Artifact, ArtifactFields, Manifest, McpServerField } from '../../artifact/types.ts';
import type { ValuePath } from '../../manifest/locate.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';
import { findSecret } from '../secrets.ts';

/** The members of an MCP server in which a secret may stand: the artifact's own, or an entry's. */
type ServerFields = Pick<ArtifactFields & McpServerField, 'args' | 'env' | 'headers' | 'url'>;

/** A literal, by the way to it and by what it is called there. */
interface Literal {
  path: ValuePath;
  name: string;
  value: string;
}

/** `lint.secret_literal` (decision 68): in an MCP server a secret is written `${secret:NAME}`. */
export function secretLiteral({ fields, manifest }: Artifact): readonly Finding[] {
  if (manifest === undefined) return NOTHING;
  const { args, env, headers, url, mcpServers = [] } = fields;
  if (mcpServers.length === 0 && (args ?? env ?? headers ?? url) === undefined) return NOTHING;
  const literals = literalsOf(fields, []);
  for (const [index, server] of mcpServers.entries()) {
    literals.push(...literalsOf(server, ['mcpServers', index]));
  }
  return literals.flatMap((literal) => judge(literal, manifest));
}

function judge({ path, name, value }: Literal, manifest: Manifest): Finding[] {
  if (findSecret(value, name) === undefined) return [];
  const reference = /^[A-Z][A-Z0-9_]*$/.test(name) ? name : 'NAME';
  return [
    {
      code: 'lint.secret_literal',
      message: `\`${spell(path)}\` holds what looks like a secret.`,
      fix: `Write \`\${secret:${reference}}\` in its place, and withdraw the secret: it has been in a file.`,
      place: atField(manifest, ...path),
    },
  ];
}

function literalsOf(
  { args = [], env = {}, headers = {}, url }: ServerFields,
  at: ValuePath,
): Literal[] {
  return [
    ...args.map((value, index) => ({
      ...readArgument(args, index, value),
      path: [...at, 'args', index],
    })),
    ...Object.entries(env).map(([name, value]) => ({ name, value, path: [...at, 'env', name] })),
    ...Object.entries(headers).map(([name, value]) => ({
      name,
      value,
      path: [...at, 'headers', name],
    })),
    ...(url === undefined ? [] : [{ name: '', value: url, path: [...at, 'url'] }]),
  ];
}

const NAMED_ARGUMENT = /^-{0,2}([A-Za-z][\w.-]*)(?:=|: *)(.*)$/s;
const FLAG = /^-{1,2}([A-Za-z][\w.-]*)$/;

/** `--token=x`, `TOKEN=x`, `Authorization: x`, or `x` after `--token`. */
function readArgument(
  args: readonly string[],
  index: number,
  value: string,
): Omit<Literal, 'path'> {
  const named = NAMED_ARGUMENT.exec(value);
  if (named !== null && !named[2]?.startsWith('//'))
    return { name: named[1] ?? '', value: named[2] ?? '' };
  const flag = FLAG.exec(args[index - 1] ?? '');
  return { name: value.startsWith('-') ? '' : (flag?.[1] ?? ''), value };
}

/** `mcpServers[0].env.API_KEY`. */
function spell(path: ValuePath): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
    )
    .join('');
}
