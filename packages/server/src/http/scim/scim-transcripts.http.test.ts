import { startRegistry } from '@catalog/testkit/registry-server';
import { scimClient } from '@catalog/testkit/scim-client';
import { replayTranscript, TRANSCRIPTS } from '@catalog/testkit/scim-transcript';
import { describe, expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const TOKEN = 'a-token-of-the-directory';

describe('SCIM transcripts of directories', () => {
  for (const transcript of TRANSCRIPTS) {
    verifies('SCIM-01', `get the expected responses: ${transcript}`, async () => {
      const server = await startRegistry({ settings: { 'scim.tokens': [TOKEN] } });
      let steps = 0;
      for await (const step of replayTranscript(transcript, scimClient(server.url, TOKEN))) {
        const { name, answer, status, expected, absent } = step;
        expect({ name, status: answer.status, body: answer.body }).toMatchObject({
          name,
          status,
          body: expected,
        });
        for (const attribute of absent) expect(answer.body, name).not.toHaveProperty(attribute);
        steps += 1;
      }
      expect(steps).toBeGreaterThan(20);
    });
  }
});
