import { claudeCodeMarketplace } from '../marketplaces/claude-code.ts';
import type { HarnessProgram } from '../program.ts';
import { claudeCode } from './claude-code.ts';

/** Checks products with the plugin format of Claude Code by its validator and installer. */
function byClaudeCode(
  about: Pick<HarnessProgram, 'name' | 'title' | 'profile' | 'stands_in'>,
): HarnessProgram {
  const { version, installs } = claudeCode;
  return {
    ...about,
    version,
    ...(installs && { installs }),
    expects: () => ({}),
    observe: async () => ({}),
    breaks: {},
    marketplace: { ...claudeCodeMarketplace, harnesses: [about.profile] },
  };
}

export const claudeDesktop = byClaudeCode({
  name: 'claude-desktop',
  title: 'Claude Desktop, by Claude Code',
  profile: 'claude-desktop',
  stands_in: 'Claude Desktop is a desktop application; it takes plugins in the form of Claude Code',
});

export const claudeCowork = byClaudeCode({
  name: 'claude-cowork',
  title: 'Claude Cowork, by Claude Code',
  profile: 'claude-cowork',
  stands_in: 'Claude Cowork is a product on the web; it takes plugins in the form of Claude Code',
});
