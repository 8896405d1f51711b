import type { ContentProgram } from '../content-program.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { geminiCli } from './gemini-cli.ts';
import { kilo } from './kilo.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

export const contentPrograms: readonly ContentProgram[] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  copilot,
  qwen,
  pi,
  kilo,
];
