import type { AlsoRead, HarnessAdapter } from '../adapter.ts';
import { defineHarness } from '../define-harness.ts';
import { AS_SKILL, notWritten, onlyInWorkspace } from '../place/no-landing.ts';
import { loadedAlways } from '../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../place/unread-fields.ts';

/** A product that reads AGENTS.md and `.agents/skills`; catalog writes nothing else for it. */
export interface ThinProfile {
  id: string;
  tool: string;
  /** Files that only a user of the product has. */
  detect: readonly string[];
  /** Other folders in which it finds skills, in a workspace and in the home folder. */
  also_skills: readonly string[];
  /** Other files from which it reads rules in a workspace. */
  also_rules: readonly AlsoRead[];
  /** Its file of rules in the home folder; undefined if its documentation names none. */
  home_rules?: string;
  /** Its documentation names no folder of skills in the home folder. */
  skills_only_in_workspace?: true;
}

/** One row for each product. `tools/harness-programs/sources.ts` names the documentation. */
export const THIN_PROFILES: readonly ThinProfile[] = [
  {
    id: 'augment',
    tool: 'Augment',
    detect: ['.augment', '.augment-guidelines'],
    also_skills: ['.augment/skills', '.claude/skills'],
    also_rules: [{ path: 'CLAUDE.md' }],
  },
  {
    id: 'crush',
    tool: 'Crush',
    detect: ['.crush', '.crush.json', 'crush.json', 'CRUSH.md'],
    also_skills: ['.crush/skills', '.claude/skills', '.cursor/skills'],
    also_rules: [{ path: 'CLAUDE.md' }, { path: 'GEMINI.md' }],
    skills_only_in_workspace: true,
  },
  {
    id: 'kimi-code',
    tool: 'Kimi Code',
    detect: ['.kimi-code'],
    also_skills: ['.kimi-code/skills'],
    also_rules: [],
    home_rules: '.agents/AGENTS.md',
  },
  {
    id: 'mistral-vibe',
    tool: 'Mistral Vibe',
    detect: ['.vibe'],
    also_skills: ['.vibe/skills'],
    also_rules: [],
  },
  {
    id: 'openhands',
    tool: 'OpenHands',
    detect: ['.openhands'],
    also_skills: [],
    also_rules: [],
    skills_only_in_workspace: true,
  },
  {
    id: 'rovo-dev',
    tool: 'Rovo Dev',
    detect: ['.rovodev'],
    also_skills: ['.rovodev/skills'],
    also_rules: [],
    home_rules: '.rovodev/AGENTS.md',
  },
];

export const thinProfiles: readonly HarnessAdapter[] = THIN_PROFILES.map(toAdapter);

function toAdapter(row: ThinProfile): HarnessAdapter {
  const { id, tool, detect, also_skills, also_rules, home_rules } = row;
  const notFor = (what: string): ReturnType<typeof notWritten> => notWritten(id, what, AS_SKILL);
  const home_skills = row.skills_only_in_workspace === true && {
    skill: onlyInWorkspace(id, 'skills'),
  };
  return defineHarness({
    id,
    summary: `${tool}: AGENTS.md, .agents/skills`,
    revision: 1,
    detect,
    also_reads: also_rules,
    skill: { folders: ['.agents/skills', ...also_skills], derive_compatibility: true },
    agent: notFor('agents'),
    command: notFor('commands'),
    rule: { into: 'block', path: 'AGENTS.md', modes: loadedAlways(id, 'AGENTS.md') },
    hook: notWritten(id, 'hooks', 'add the hook in its own settings'),
    mcp_server: notWritten(id, 'MCP servers', 'add the server in its own settings'),
    context_pointer: true,
    fields: UNREAD_FIELDS,
    user: {
      ...home_skills,
      rule:
        home_rules === undefined
          ? onlyInWorkspace(id, 'rules')
          : { into: 'block', path: home_rules, modes: loadedAlways(id, 'AGENTS.md') },
    },
  });
}
