import { z } from 'zod';

/**
 * Published schemas of Cursor, from `cursor/plugins`, `schemas/`, and the documentation of hooks,
 * rules and MCP.
 */
const cursorName = z.string().regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/);
const cursorPerson = z.strictObject({ name: z.string().min(1), email: z.email().optional() });
const paths = z.union([z.string(), z.array(z.string())]);

export const cursorMarketplace = z.strictObject({
  name: z.string().min(1),
  owner: cursorPerson.optional(),
  metadata: z.looseObject({ description: z.string().optional() }).optional(),
  plugins: z.array(
    z.strictObject({
      name: cursorName,
      source: z.string().min(1),
      description: z.string().optional(),
      minClientVersions: z.strictObject({ cursor: z.string() }).optional(),
    }),
  ),
});

export const cursorPlugin = z.strictObject({
  name: cursorName,
  displayName: z.string().optional(),
  description: z.string().optional(),
  version: z.string().optional(),
  minClientVersions: z.strictObject({ cursor: z.string() }).optional(),
  author: cursorPerson.optional(),
  publisher: z.string().min(1).optional(),
  homepage: z.url().optional(),
  repository: z.url().optional(),
  license: z.string().optional(),
  logo: z.string().optional(),
  keywords: z.array(z.string()).optional(),
  category: z.string().optional(),
  tags: z.array(z.string()).optional(),
  commands: paths.optional(),
  agents: paths.optional(),
  skills: paths.optional(),
  rules: paths.optional(),
  hooks: z.union([z.string(), z.looseObject({})]).optional(),
  mcpServers: z
    .union([z.string(), z.looseObject({}), z.array(z.union([z.string(), z.looseObject({})]))])
    .optional(),
});

export const cursorHooks = z.looseObject({
  version: z.literal(1),
  hooks: z.partialRecord(
    z.enum([
      'sessionStart',
      'sessionEnd',
      'preToolUse',
      'postToolUse',
      'postToolUseFailure',
      'subagentStart',
      'subagentStop',
      'beforeShellExecution',
      'afterShellExecution',
      'beforeMCPExecution',
      'afterMCPExecution',
      'beforeReadFile',
      'afterFileEdit',
      'beforeSubmitPrompt',
      'preCompact',
      'stop',
      'afterAgentResponse',
      'afterAgentThought',
    ]),
    z.array(
      z.looseObject({
        command: z.string().min(1),
        timeout: z.number().positive().optional(),
        matcher: z.string().optional(),
        hooks: z.never().optional(),
      }),
    ),
  ),
});

const texts = z.record(z.string(), z.string());

export const cursorServers = z.looseObject({
  mcpServers: z.record(
    z.string(),
    z.union([
      z.strictObject({
        type: z.literal('stdio').optional(),
        command: z.string().min(1),
        args: z.array(z.string()).optional(),
        env: texts.optional(),
        envFile: z.string().optional(),
      }),
      z.strictObject({
        type: z.enum(['http', 'sse', 'streamable-http']).optional(),
        url: z.url(),
        headers: texts.optional(),
      }),
    ]),
  ),
});

/**
 * Values are the literal text after the colon: the format is not YAML, and globs are written
 * without quotes.
 */
export const cursorRule = z
  .strictObject({
    description: z.string().optional(),
    globs: z
      .string()
      .regex(/^[^"'[\]]*$/)
      .optional(),
    alwaysApply: z.enum(['true', 'false']).optional(),
  })
  .refine(({ globs, alwaysApply }) => !globs || alwaysApply !== 'true');

export const cursorAgent = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  model: z.string().optional(),
  readonly: z.enum(['true', 'false']).optional(),
  is_background: z.enum(['true', 'false']).optional(),
});
