import { artifactOf } from '@catalog/testkit/authored-package';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { agentText } from './agent-text.ts';

test('an agent of harness-f has its qualified name, and its prose as instructions', () => {
  const agent = artifactOf('ops/bots/triager', {
    'ARTIFACT.md':
      '---\ntype: agent\nname: triager\nversion: 1.0.0\ndescription: Sorts "all" incidents.\nsource: wiki\n---\nRank them.\n',
  });
  expect(parse(agentText(agent, { name: 'triager', prefix: '' }))).toEqual({
    name: 'triager',
    description: 'Sorts "all" incidents.',
    developer_instructions: '<untrusted-data source="wiki">\nRank them.\n</untrusted-data>\n',
  });
  expect(parse(agentText(agent, { name: 'ops-bots-triager', prefix: 'ops-bots-' }))).toMatchObject({
    name: 'ops-bots-triager',
  });
});
