import { errorEnvelope } from '@catalog/contract/errors/envelope';
import type { ListToolsResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { tools } from './table.ts';
import type { Tool } from './tool.ts';

let listed: ListToolsResult['tools'] | undefined;

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
    // Hosts may validate the result of a failed call.
    outputSchema: objectSchema(z.union([output, errorEnvelope]), 'output'),
    annotations: { title, ...annotations },
  };
}

type ListedSchema = ListToolsResult['tools'][number]['inputSchema'];

function objectSchema(schema: z.ZodType, io: 'input' | 'output'): ListedSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    // A later registry may return more members, and hosts may validate.
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
    },
  });
  const plain: ListedSchema = JSON.parse(JSON.stringify({ ...json, type: 'object' }));
  return plain;
}
