export interface ToolCall {
  name: string;
  input: Readonly<Record<string, unknown>>;
  namespace?: string;
  id?: string;
}

interface ModelResponse {
  type: 'application/json' | 'text/event-stream';
  text: string;
}

/** Uses the format of the API at `path`; without a call, the response is `ok`. */
export function formatResponse(
  path: string,
  body: unknown,
  call: ToolCall | undefined,
): ModelResponse {
  const streamed = Object(body)['stream'] === true;
  if (path.includes('/messages')) return anthropicAnswer(call, streamed);
  if (path.includes('/responses')) return responsesAnswer(call, streamed);
  if (path.includes('/chat/completions')) return chatAnswer(call, streamed);
  if (path.includes(':streamGenerateContent')) return geminiAnswer(call, true);
  if (path.includes(':generateContent')) return geminiAnswer(call, false);
  if (path.includes(':countTokens')) return json({ totalTokens: 1 });
  return json({});
}

function anthropicAnswer(call: ToolCall | undefined, streamed: boolean): ModelResponse {
  const block = call
    ? { type: 'tool_use', id: `toolu_${call.id ?? 1}`, name: call.name, input: call.input }
    : { type: 'text', text: 'ok' };
  const stop_reason = call ? 'tool_use' : 'end_turn';
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'recorder',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  if (!streamed) return json({ ...message, content: [block], stop_reason });
  const opening = call ? { ...block, input: {} } : { ...block, text: '' };
  const delta = call
    ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
    : { type: 'text_delta', text: 'ok' };
  return events([
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: opening },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ]);
}

function responsesAnswer(call: ToolCall | undefined, streamed: boolean): ModelResponse {
  const item = call
    ? {
        type: 'function_call',
        id: `fc_${call.id ?? 1}`,
        call_id: `call_${call.id ?? 1}`,
        name: call.name,
        ...(call.namespace !== undefined && { namespace: call.namespace }),
        arguments: JSON.stringify(call.input),
        status: 'completed',
      }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'ok', annotations: [] }],
      };
  const response = {
    id: 'resp_1',
    object: 'response',
    model: 'recorder',
    status: 'completed',
    output: [item],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  };
  if (!streamed) return json(response);
  return events([
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ]);
}

function chatAnswer(call: ToolCall | undefined, streamed: boolean): ModelResponse {
  const message = call
    ? {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            index: 0,
            id: `call_${call.id ?? 1}`,
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.input) },
          },
        ],
      }
    : { role: 'assistant', content: 'ok' };
  const completion = { id: 'chat_1', created: 1, model: 'recorder' };
  const finish_reason = call ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (!streamed) {
    const choices = [{ index: 0, message, finish_reason }];
    return json({ ...completion, object: 'chat.completion', choices, usage });
  }
  const chunk = { ...completion, object: 'chat.completion.chunk' };
  return events([
    { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
    '[DONE]',
  ]);
}

function geminiAnswer(call: ToolCall | undefined, streamed: boolean): ModelResponse {
  const part = call ? { functionCall: { name: call.name, args: call.input } } : { text: 'ok' };
  const answer = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'recorder',
  };
  return streamed ? events([answer]) : json(answer);
}

function json(body: object): ModelResponse {
  return { type: 'application/json', text: JSON.stringify(body) };
}

/** Two of the four APIs require the type as the event name. */
function events(list: readonly (object | string)[]): ModelResponse {
  const text = list.map((event) => {
    if (typeof event === 'string') return `data: ${event}\n\n`;
    const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return { type: 'text/event-stream', text: text.join('') };
}
