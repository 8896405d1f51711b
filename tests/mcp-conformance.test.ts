import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFixtureServer, type FixtureServer } from '../tools/mcp-conformance/fixture-server.ts';
import { installSuite, listScenarios, runScenario } from '../tools/mcp-conformance/run-scenario.ts';
import { suites } from '../tools/mcp-conformance/scenarios.ts';

let server: FixtureServer;

beforeAll(async () => {
  server = await startFixtureServer();
});
afterAll(() => server.close());

describe.each(suites)('the conformance suite $version, revision $revision', (suite) => {
  const { version, revision, passes, left_out } = suite;

  test('runs every scenario, or excludes it with a reason', async () => {
    const known = [...passes, ...Object.values(left_out).flat()];
    const folder = await installSuite(version);
    expect(known.toSorted()).toEqual((await listScenarios(folder, revision)).toSorted());
  }, 300_000);

  test.each(passes)('passes the scenario %s', async (scenario) => {
    const folder = await installSuite(version);
    const { passed, output } = await runScenario(folder, server.url, scenario, revision);
    expect(passed, output).toBe(true);
  });
});
