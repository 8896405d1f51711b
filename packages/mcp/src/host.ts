import { fileURLToPath } from 'node:url';
import {
  inputRequired,
  inputResponse,
  type InputRequest,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { membersOf } from './reject-host.ts';

/** Maximum wait for the list of folders, so that a host that does not respond delays a call only briefly. */
const ROOTS_TIMEOUT_MS = 2_000;

export interface HostMemory {
  /** Capabilities of the host: from `initialize`, or from each request of the stateless protocol. */
  capabilities: unknown;
  /** Folders of the host; undefined before the first list and after a change. */
  roots: readonly string[] | undefined;
}

export interface Host {
  roots(): Promise<readonly string[]>;
  /** Returns true if the user of the host approves, and false if the host cannot ask. */
  confirm(key: string, lines: readonly string[]): boolean;
  shows_addresses: boolean;
  showAddress(key: string, message: string, url: string): never;
  addressAnswer(key: string): UrlResponse | undefined;
}

export type UrlResponse = 'accept' | 'decline' | 'cancel';

/**
 * Thrown by `Host` if the user must respond first. It becomes an `input_required` result, and the host repeats the call
 * with the response.
 */
export class HostInputRequired extends Error {
  readonly requests: Record<string, InputRequest>;

  constructor(requests: Record<string, InputRequest>) {
    super('the host asks the user first');
    this.requests = requests;
  }
}

export function hostOf(context: ServerContext, memory: HostMemory | undefined): Host {
  const { envelope, inputResponses } = context.mcpReq;
  const capabilities = membersOf(
    envelope === undefined
      ? memory?.capabilities
      : membersOf(envelope)['io.modelcontextprotocol/clientCapabilities'],
  );
  const namesRoots = capabilities['roots'] !== undefined;

  function rootsFromResponse(): readonly string[] {
    const answer = inputResponse(inputResponses, 'roots');
    if (answer.kind === 'roots') return toFolders(answer.roots);
    if (inputResponses !== undefined) return [];
    throw new HostInputRequired({ roots: inputRequired.listRoots() });
  }

  function requireInput(key: string, request: InputRequest): never {
    throw new HostInputRequired({
      [key]: request,
      // A repeated call contains only the responses to the last requests.
      ...(namesRoots && memory === undefined ? { roots: inputRequired.listRoots() } : {}),
    });
  }

  return {
    shows_addresses: membersOf(capabilities['elicitation'])['url'] !== undefined,
    showAddress: (key, message, url) =>
      requireInput(key, inputRequired.elicitUrl({ message: escapeControls(message), url })),
    addressAnswer(key) {
      const answer = inputResponse(inputResponses, key);
      return answer.kind === 'elicit' ? answer.action : undefined;
    },
    async roots() {
      if (memory?.roots !== undefined) return memory.roots;
      if (!namesRoots) return [];
      const roots = envelope === undefined ? await listRoots(context) : rootsFromResponse();
      if (memory !== undefined) memory.roots = roots;
      return roots;
    },
    confirm(key, lines) {
      if (!canShowForm(capabilities['elicitation'])) return false;
      const answer = inputResponse(inputResponses, key);
      if (answer.kind === 'elicit') {
        return answer.action === 'accept' && answer.content?.['confirm'] === true;
      }
      // Content of a registry or a file must not look like a line of the request.
      const message = lines.map((line) => escapeControls(line)).join('\n');
      const question = { message, requestedSchema: CONFIRMATION };
      return requireInput(key, inputRequired.elicit(question));
    },
  };
}

const CONFIRMATION = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Yes, write it' } },
  required: ['confirm'],
};

/** Returns true if the host can show forms. A host that names no mode can, because it is older than the other modes. */
function canShowForm(elicitation: unknown): boolean {
  if (elicitation === undefined) return false;
  const ways = membersOf(elicitation);
  return ways['form'] !== undefined || ways['url'] === undefined;
}

/** Lists the folders of the host; none if the request fails. */
async function listRoots({ mcpReq }: ServerContext): Promise<readonly string[]> {
  try {
    const { roots } = await mcpReq.send(
      { method: 'roots/list' },
      { timeout: ROOTS_TIMEOUT_MS, signal: mcpReq.signal },
    );
    return toFolders(roots);
  } catch (error) {
    mcpReq.signal.throwIfAborted();
    if (error instanceof Error) return [];
    throw error;
  }
}

function toFolders(roots: readonly { uri: string }[]): string[] {
  return roots.flatMap(({ uri }) => {
    try {
      return [fileURLToPath(uri)];
    } catch {
      return [];
    }
  });
}
