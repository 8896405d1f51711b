import { sharedFormat } from '../../marketplace/formats/shared.ts';

/** Format of Claude Code, Claude Desktop and Claude Cowork. */
export const claudeMarketplace = sharedFormat({
  id: 'claude',
  landing: 'claude-code',
  root: '.claude',
  manifests: '.claude-plugin',
  plugin_root: '${CLAUDE_PLUGIN_ROOT}',
  reserved_names: [
    'agent-skills',
    'anthropic-agent-skills',
    'anthropic-marketplace',
    'anthropic-plugins',
    'claude-code-marketplace',
    'claude-code-plugins',
    'claude-community',
    'claude-for-financial-services',
    'claude-for-legal',
    'claude-plugins-community',
    'claude-plugins-official',
    'financial-services-plugins',
    'first-party-plugins',
    'knowledge-work-plugins',
    'life-sciences',
  ],
});
