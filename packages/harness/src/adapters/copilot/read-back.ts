import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import type { Json, JsonObject } from '@catalog/core/json';
import { canonicalServers, canonicalTools, given, namesIn } from '../../adopt/agent-keys-back.ts';
import { TOOLS } from './agent-text.ts';
import { mcpServerEntry } from './mcp-servers.ts';

export const copilotReaders: AdoptReaders = {
  agent: readAgent,
  hook: { matchers: 'whole' },
  commands_at: {
    path: '.github/prompts/{name}.prompt.md',
    arguments: { all: '${input:arguments}' },
  },
  rule: readInstructions,
  prose: ['.github/copilot-instructions.md', 'AGENTS.md'],
};

function readAgent({ values, body }: ProductDocument): Reading {
  const {
    name: _name,
    tools,
    'mcp-servers': servers,
    'include-custom-instructions': _included,
    ...kept
  } = values;
  const changes: string[] = [];
  const canonical = {
    ...canonicalTools(toolNames(tools), TOOLS, changes),
    ...canonicalServers(servers, mcpServerEntry, changes, withoutTools),
  };
  return { values: { ...kept, ...canonical }, body, changes };
}

function toolNames(tools: Json | undefined): string[] | undefined {
  return namesIn(tools)?.map((tool) => {
    const [server, name, ...more] = tool.split('/');
    if (name === undefined || more.length > 0) return tool;
    return name === '*' ? `mcp__${server}` : `mcp__${server}__${name}`;
  });
}

/** Removes `tools: ['*']`, because a server without a list offers all tools. */
function withoutTools({ tools, ...kept }: JsonObject): JsonObject {
  const all = Array.isArray(tools) && tools.length === 1 && tools[0] === '*';
  return all || tools === undefined ? kept : { ...kept, tools };
}

/** Converts a rule. Without `applyTo`, the model selects it by its description or, without one, the user names it. */
function readInstructions({ values, body }: ProductDocument): Reading {
  const { applyTo, description, ...kept } = values;
  const globs = typeof applyTo === 'string' ? applyTo.trim() : '';
  const described = typeof description === 'string' && description !== '';
  const modeWithoutGlobs = described
    ? { rule_mode: 'auto', rule_description: description }
    : { rule_mode: 'explicit' };
  const modeForGlobs =
    globs === '**' ? { rule_mode: 'always' } : { rule_mode: 'glob', rule_globs: globs };
  const mode = globs === '' ? modeWithoutGlobs : modeForGlobs;
  return { values: { ...given('description', description), ...kept, ...mode }, body, changes: [] };
}
