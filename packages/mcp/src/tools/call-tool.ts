import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { RegistryError } from '@catalog/sdk/registry-error';
import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { HostInputRequired } from '../host.ts';
import { afterSignIn } from '../sign-in-first.ts';
import { markError } from '../untrusted-data.ts';
import { adviseModel } from './advise-model.ts';
import { tools } from './table.ts';
import type { ToolContext } from './tool.ts';

export interface ToolCall {
  name: string;
  args: unknown;
  signal: AbortSignal;
  openContext: () => Promise<ToolContext>;
  report: (error: unknown) => void;
}

/**
 * Calls a tool. Returns structured content, and the same as JSON text for older hosts (MCP-02, MCP-03). Errors are
 * results too (MCP-04).
 */
export async function callTool(call: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  const { name, args, signal, openContext, report } = call;
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 64)}`);
  }
  try {
    const context = await openContext();
    return answer(await afterSignIn(() => tool.call(args, context), context));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof HostInputRequired) return inputRequired({ inputRequests: error.requests });
    if (error instanceof CatalogError || error instanceof RegistryError) {
      return { ...answer(markError(adviseModel(error.toEnvelope()))), isError: true };
    }
    report(error);
    return { ...answer(markError(internalError(error))), isError: true };
  }
}

function answer(value: Record<string, unknown> | ErrorEnvelope): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: { ...value },
  };
}

function internalError(error: unknown): ErrorEnvelope {
  const what = error instanceof Error ? error.message : String(error);
  return new CatalogError('registry.unknown', `Internal error: ${what}`, {
    suggested_action: 'This is a bug in catalog: report the log output of catalog-mcp.',
  }).toEnvelope();
}
