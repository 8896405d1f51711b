import { z } from 'zod';

/**
 * Documented formats of products that publish no schema. Sources for Cline, Continue, Junie, Warp
 * and Zed are their own pages or source; for Kiro, Antigravity and Devin in part the documentation
 * of other tools that write for them. The page of each profile lists the sources.
 */

const texts = z.record(z.string(), z.string());

const localServer = {
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
};

/** Kiro: steering files, `.kiro/settings/mcp.json`. */
export const kiroSteering = z.discriminatedUnion('inclusion', [
  z.strictObject({ inclusion: z.enum(['always', 'manual']) }),
  z.strictObject({
    inclusion: z.literal('fileMatch'),
    fileMatchPattern: z.union([z.string(), z.array(z.string()).min(1)]),
  }),
  z.strictObject({
    inclusion: z.literal('auto'),
    name: z.string().min(1),
    description: z.string().min(1),
  }),
]);

const kiroSwitches = {
  disabled: z.boolean().optional(),
  autoApprove: z.array(z.string()).optional(),
  disabledTools: z.array(z.string()).optional(),
};

export const kiroServer = z.union([
  z.strictObject({ ...localServer, ...kiroSwitches }),
  z.strictObject({ url: z.url(), headers: texts.optional(), ...kiroSwitches }),
]);

/** Kiro 3: an agent is one Markdown file. */
export const kiroAgent = z.strictObject({
  description: z.string().min(1),
  model: z.string().min(1).optional(),
  tools: z.array(z.string()),
  mcpServers: z.record(z.string(), kiroServer).optional(),
});

/** Kiro 3: `.kiro/hooks/*.json`. */
export const kiroHooks = z.strictObject({
  version: z.literal('v1'),
  hooks: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        trigger: z.enum([
          'SessionStart',
          'SessionEnd',
          'UserPromptSubmit',
          'PreToolUse',
          'PostToolUse',
          'Stop',
          'PostFileSave',
          'PostFileCreate',
          'PostFileDelete',
          'PreTaskExec',
          'PostTaskExec',
        ]),
        matcher: z.string().optional(),
        action: z.strictObject({ type: z.literal('command'), command: z.string().min(1) }),
        timeout: z.number().positive().optional(),
        enabled: z.boolean().optional(),
      }),
    )
    .min(1),
});

/** Zed: zed.dev/docs/ai/mcp. */
export const zedServer = z.union([
  z.strictObject({ ...localServer, enabled: z.boolean().optional() }),
  z.strictObject({ url: z.url(), headers: texts.optional(), enabled: z.boolean().optional() }),
]);

/** Antigravity: rules, workflows, `mcp_config.json`. */
export const antigravityRule = z.discriminatedUnion('trigger', [
  z.strictObject({ trigger: z.enum(['always_on', 'manual']) }),
  z.strictObject({ trigger: z.literal('glob'), globs: z.string().min(1) }),
  z.strictObject({ trigger: z.literal('model_decision'), description: z.string().min(1) }),
]);

export const antigravityWorkflow = z.strictObject({ description: z.string().min(1) });

export const antigravityServer = z.union([
  z.strictObject(localServer),
  z.strictObject({ serverUrl: z.url(), headers: texts.optional() }),
]);

const command = z.strictObject({
  type: z.literal('command'),
  command: z.string().min(1),
  timeout: z.number().positive().optional(),
});

const matched = z.strictObject({
  matcher: z.string().optional(),
  hooks: z.array(command).min(1),
});

/** Antigravity: `.agents/hooks.json`, hooks by name. Only hooks for tools are in groups. */
export const antigravityHooks = z.record(
  z.string(),
  z.strictObject({
    PreToolUse: z.array(matched).optional(),
    PostToolUse: z.array(matched).optional(),
    PreInvocation: z.array(command).optional(),
    PostInvocation: z.array(command).optional(),
    Stop: z.array(command).optional(),
  }),
);

/** Devin: rules, `.devin/mcp_config.json`, and `.devin/hooks.v1.json`, which contains only events. */
export const devinRule = z.discriminatedUnion('trigger', [
  z.strictObject({ trigger: z.enum(['always_on', 'manual']) }),
  z.strictObject({ trigger: z.literal('glob'), globs: z.array(z.string()).min(1) }),
  z.strictObject({ trigger: z.literal('model_decision'), description: z.string().min(1) }),
]);

export const devinHooks = z.partialRecord(
  z.enum([
    'SessionStart',
    'SessionEnd',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PermissionRequest',
    'Stop',
    'PostCompaction',
  ]),
  z.array(matched),
);

/** A server without a `type`: Devin, Junie and Warp. */
export const plainServer = z.union([
  z.strictObject(localServer),
  z.strictObject({ url: z.url(), headers: texts.optional() }),
]);

/** Junie: junie.jetbrains.com, subagents and custom slash commands. */
export const junieAgent = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  description: z.string().min(1),
  tools: z
    .array(
      z.enum(['Read', 'Grep', 'Glob', 'Write', 'Edit', 'Bash', 'WebSearch', 'AskUserQuestion']),
    )
    .min(1)
    .optional(),
  model: z.string().min(1).optional(),
  reasoningLevel: z.enum(['low', 'medium', 'high']).optional(),
});

export const junieCommand = z.strictObject({ description: z.string().min(1) });

/** Continue: docs.continue.dev, rules, prompts and MCP. A prompt that is not invokable is a rule. */
export const continueRule = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  globs: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  alwaysApply: z.boolean().optional(),
  invokable: z.boolean().optional(),
});

export const continuePrompt = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  invokable: z.literal(true),
});

export const continueServer = z.union([
  z.strictObject(localServer),
  z.strictObject({ type: z.enum(['http', 'sse']), url: z.url(), headers: texts.optional() }),
]);

/** Cline: its eight events, each an executable with that name in `.clinerules/hooks`. */
export const clineEvent = z.enum([
  'TaskStart',
  'TaskResume',
  'TaskCancel',
  'TaskComplete',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PreCompact',
]);

/** Cline: docs.cline.bot, conditional rules. */
export const clineRule = z.strictObject({ paths: z.array(z.string()).min(1).optional() });

/** A file whose entire content is used, without frontmatter. */
export const noFrontmatter = z.strictObject({});
