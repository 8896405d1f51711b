import type { HarnessProgram } from '../program.ts';
import {
  antigravityRule,
  antigravityServer,
  antigravityWorkflow,
  clineRule,
  kiroServer,
  kiroSteering,
  noFrontmatter,
  zedServer,
} from '../schemas/documented.ts';
import { publishedLayout } from './published-layout.ts';

const VERSION = 'documentation, 2026-08';

const kiro = publishedLayout({
  name: 'kiro-schema',
  title: 'Kiro, by its documentation',
  version: VERSION,
  profile: 'kiro',
  stands_in: 'Kiro is a desktop application, its command line is in no package registry',
  skills: '.kiro/skills',
  rules: {
    folder: '.kiro/steering',
    frontmatter: kiroSteering,
    breaks: ['fileMatchPattern:', 'globs:'],
  },
  commands: { folder: '.kiro/prompts', frontmatter: noFrontmatter },
  servers: {
    file: '.kiro/settings/mcp.json',
    container: 'mcpServers',
    entry: kiroServer,
    secrets: true,
  },
});

const zed = publishedLayout({
  name: 'zed-schema',
  title: 'Zed, by its documentation',
  version: VERSION,
  profile: 'zed',
  stands_in: 'Zed is a desktop application and in no package registry',
  skills: '.agents/skills',
  rules: 'AGENTS.md',
  servers: {
    file: '.zed/settings.json',
    container: 'context_servers',
    entry: zedServer,
    secrets: false,
  },
});

const antigravity = publishedLayout({
  name: 'antigravity-schema',
  title: 'Antigravity, by its documentation',
  version: VERSION,
  profile: 'antigravity',
  stands_in: 'Antigravity comes from an installer of its own and asks for a login',
  skills: '.agents/skills',
  rules: {
    folder: '.agents/rules',
    frontmatter: antigravityRule,
    breaks: ['trigger: glob', 'trigger: files'],
  },
  commands: { folder: '.agents/workflows', frontmatter: antigravityWorkflow },
  servers: {
    file: '.agents/mcp_config.json',
    container: 'mcpServers',
    entry: antigravityServer,
    secrets: false,
  },
});

const cline = publishedLayout({
  name: 'cline-schema',
  title: 'Cline, by its documentation',
  version: VERSION,
  profile: 'cline',
  stands_in: 'the command line of Cline lists what it loaded in a terminal only',
  skills: '.cline/skills',
  rules: { folder: '.clinerules', frontmatter: clineRule, breaks: ['paths:', 'globs:'] },
  commands: { folder: '.clinerules/workflows', frontmatter: noFrontmatter },
});

const goose = publishedLayout({
  name: 'goose-schema',
  title: 'Goose, by its documentation',
  version: VERSION,
  profile: 'goose',
  stands_in: 'Goose is in no package registry',
  skills: '.goose/skills',
  rules: 'AGENTS.md',
});

/** Products that cannot be asked without a network and a login. */
export const publishedLayouts: readonly HarnessProgram[] = [kiro, zed, antigravity, cline, goose];
