import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CATALOG_MCP, newFolder, writeProgram } from './workspace.ts';

const SECRET = 'the-secret';

/**
 * Script of the server. Its record is next to it, because the path must not depend on the environment of the product.
 */
const SERVER = `#!/usr/bin/env node
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const { DEMO_TOKEN, REGION } = process.env;
writeFileSync(process.argv[1] + '.json', JSON.stringify({ words: process.argv.slice(2), DEMO_TOKEN, REGION }));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'tools/call') appendFileSync(process.argv[1] + '.calls', params.name + '\\n');
  const tools = TOOLS.map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
  const results = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'demo', version: '1.0.0' } },
    'tools/call': { content: [{ type: 'text', text: 'LOOKED' }] },
    'tools/list': { tools },
  };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}
`;

/** Two servers have a tool that their artifacts exclude. */
const SERVER_TOOLS = {
  'demo-mcp': ['look'],
  'brought-mcp': ['look'],
  'narrow-mcp': ['narrow_look', 'narrow_erase'],
  'trimmed-mcp': ['trimmed_look', 'trimmed_erase'],
};

export interface DemoServer {
  env: { PATH: string; DEMO_TOKEN: string };
  /** Returns true if the server was started with its arguments, its secret and its setting. */
  receivedSecret: () => boolean;
  /** Undefined if the server of an agent was not started. */
  agentServerSecret: () => string | undefined;
  calls: () => number;
}

export function provideDemoServer(path: string): DemoServer {
  const folder = newFolder('bin');
  for (const [name, tools] of Object.entries(SERVER_TOOLS)) {
    writeProgram(
      join(folder, name),
      SERVER.replace('#!/usr/bin/env node', `#!${process.execPath}`).replace(
        'TOOLS',
        JSON.stringify(tools),
      ),
    );
  }
  writeProgram(join(folder, 'package.json'), '{"type":"module"}');
  writeProgram(
    join(folder, 'catalog-mcp'),
    `#!/bin/sh\nexec ${CATALOG_MCP.map((word) => `'${word}'`).join(' ')} "$@"\n`,
  );
  const calls = join(folder, 'demo-mcp.calls');
  const expected = JSON.stringify({ words: ['--read-only'], DEMO_TOKEN: SECRET, REGION: 'eu' });
  function noteOf(name: string): string | undefined {
    const note = join(folder, `${name}.json`);
    return existsSync(note) ? readFileSync(note, 'utf8') : undefined;
  }
  return {
    env: { PATH: `${folder}${delimiter}${path}`, DEMO_TOKEN: SECRET },
    receivedSecret: () => noteOf('demo-mcp') === expected,
    agentServerSecret: () => {
      const note = noteOf('brought-mcp');
      return note === undefined ? undefined : (JSON.parse(note).DEMO_TOKEN ?? '');
    },
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n').length : 0),
  };
}
