import type { Materialized, MaterializeRequest } from '@catalog/consumer/materialize/materialized';
import type { RuntimeRegistry } from '@catalog/consumer/runtime/runtime-registry';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { z } from 'zod';
import type { Host } from '../host.ts';

export type Materialize = (
  request: Omit<MaterializeRequest, 'harness'> & Pick<ToolContext, 'onProgress'>,
  signal: AbortSignal,
) => Promise<Materialized>;

export interface Runtime {
  registry: RuntimeRegistry;
  materialize: Materialize;
}

export interface ToolContext extends Runtime {
  host: Host;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/** Properties of a tool, in the form of `tools/list`. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export const READ_ONLY_ANNOTATIONS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

export interface Tool {
  name: string;
  title: string;
  /** Description for a model: when to use the tool, what it returns, and how to continue. */
  description: string;
  annotations: ToolAnnotations;
  input: z.ZodObject;
  output: z.ZodObject;
  call(args: unknown, context: ToolContext): Promise<Record<string, unknown>>;
}

interface ToolDefinition<Input extends z.ZodObject> extends Omit<Tool, 'input' | 'call'> {
  input: Input;
  run: (args: z.output<Input>, context: ToolContext) => Promise<Record<string, unknown>>;
}

/** Defines a tool, whose arguments are validated before it runs. */
export function defineTool<Input extends z.ZodObject>({
  run,
  ...tool
}: ToolDefinition<Input>): Tool {
  return {
    ...tool,
    call: (args, context) => run(parseArguments(tool.name, tool.input, args), context),
  };
}

function parseArguments<Input extends z.ZodObject>(
  tool: string,
  schema: Input,
  args: unknown,
): z.output<Input> {
  const result = schema.safeParse(args ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const argument =
    issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : (issue?.path.join('.') ?? '');
  const takes = Object.keys(schema.shape).join(', ');
  throw new CatalogError(
    'registry.invalid_argument',
    `${tool} rejected its argument ${argument === '' ? 'object' : `"${argument}"`}: ${issue?.message ?? 'invalid'}.`,
    {
      details: { argument, constraint: issue?.code ?? 'invalid' },
      suggested_action: `Fix it and call ${tool} again. Accepted: ${takes}.`,
    },
  );
}
