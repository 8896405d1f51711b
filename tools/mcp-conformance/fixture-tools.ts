import { setTimeout as delay } from 'node:timers/promises';
import {
  acceptedContent,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

type FixtureTool = (
  context: ServerContext,
) => CallToolResult | InputRequiredResult | Promise<CallToolResult>;

export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value };
}

function resource(uri: string, mimeType: string, content: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text: content } };
}

function requestName({ mcpReq }: ServerContext): CallToolResult | InputRequiredResult {
  const name = acceptedContent(mcpReq.inputResponses, 'user_name')?.['name'];
  if (typeof name === 'string') return { content: [text(`Hello, ${name}!`)] };
  const requestedSchema = {
    type: 'object' as const,
    properties: { name: { type: 'string' as const } },
    required: ['name'],
  };
  return inputRequired({
    inputRequests: {
      user_name: inputRequired.elicit({ message: 'What is your name?', requestedSchema }),
    },
  });
}

/** The suite describes these tools. */
export const fixtureTools: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({
    content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
  }),
  test_embedded_resource: () => ({
    content: [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      await delay(50);
    }
    return { content: [text('Done.')] };
  },
  /** catalog-mcp sends no log messages to the host, so none must appear here. */
  test_logging_tool: () => ({ content: [text('Logged to stderr only.')] }),
  test_missing_capability: () =>
    inputRequired({
      inputRequests: { model: inputRequired.createMessage({ messages: [], maxTokens: 1 }) },
    }),
  test_streaming_elicitation: requestName,
  test_input_required_result_elicitation: requestName,
  test_input_required_result_list_roots: ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') {
      return { content: [text(answer.roots.map(({ uri }) => uri).join(', '))] };
    }
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
};

/** The schema uses features specific to JSON Schema 2020-12. The tool is only listed. */
export const schemaTool = {
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object' as const,
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
};
