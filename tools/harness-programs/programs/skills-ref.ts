import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation, HarnessProgram, Loaded } from '../program.ts';
import { runSealed } from '../run-sealed.ts';
import { editText } from '../workspace.ts';

const FOLDER = '.agents/skills';

/** The validator accepts one folder and exits with 0 or 1. */
async function observe({ program, workspace, home }: Observation): Promise<Loaded> {
  const valid: string[] = [];
  for (const name of readdirSync(join(workspace, FOLDER))) {
    const { code } = await runSealed({
      words: [...program.words, 'validate', join(workspace, FOLDER, name)],
      cwd: workspace,
      home,
      env: program.env,
    });
    if (code === 0) valid.push(name);
  }
  return { skill: valid };
}

export const skillsRef: HarnessProgram = {
  name: 'skills-ref',
  title: 'Agent Skills reference',
  version: '0.1.1',
  profile: 'agents-md',
  installs: {
    from: 'pypi',
    pinned: 'skills-ref',
    command: 'bin/agentskills',
  },
  expects: ({ skills }) => ({ skill: skills }),
  observe,
  breaks: {
    skill: (workspace) => {
      editText(join(workspace, FOLDER, 'alpha/SKILL.md'), (text) =>
        text.replace('license:', 'colour: red\nlicense:'),
      );
    },
  },
};
