import { errorEnvelope } from '@catalog/contract/errors/envelope';
import type { ListToolsResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { tools } from './table.ts';
import type { Tool } from './tool.ts';

let listed: ListToolsResult['tools'] | undefined;

/** What `tools/list` answers; it never changes. */
export function listTools(): ListToolsResult['tools'] {
  listed ??= tools.map(describeTool);
  return listed;
}

function describeTool({ name, title, description, annotations, input, output }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: objectSchema(input, 'input'),
    // A host that checks the answer of a failed call finds the envelope in it.
    outputSchema: objectSchema(z.union([output, errorEnvelope]), 'output'),
    annotations: { title, ...annotations },
  };
}

type ListedSchema = ListToolsResult['tools'][number]['inputSchema'];

function objectSchema(schema: z.ZodType, io: 'input' | 'output'): ListedSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    // A later registry may answer more than it does today; a host that checks must not mind.
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  const plain: ListedSchema = JSON.parse(JSON.stringify({ ...json, type: 'object' }));
  return plain;
}
