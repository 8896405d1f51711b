import { fileURLToPath } from 'node:url';
import {
  inputRequired,
  inputResponse,
  type InputRequest,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { membersOf } from './refuse-host.ts';

/** How long a host may take to name its folders; one that never does must not hold up an answer. */
const ROOTS_TIMEOUT_MS = 2_000;

/** What a host said once for its whole connection. */
export interface HostMemory {
  /** The capabilities of `initialize`; in the newer era each request has its own. */
  capabilities: unknown;
  /** The folders it named; undefined until it was asked, and again once they changed. */
  roots: readonly string[] | undefined;
}

/** The host behind one call. */
export interface Host {
  /** The folders the host works in, absolute; none where it names none. */
  roots(): Promise<readonly string[]>;
  /** Whether the host's user says yes; no where nobody can be asked. */
  confirm(key: string, lines: readonly string[]): boolean;
  /** Whether the host can show an address to its user. */
  shows_addresses: boolean;
  /** Has the host show an address. */
  showAddress(key: string, message: string, url: string): never;
  /** What became of an address that was shown. */
  addressAnswer(key: string): AddressAnswer | undefined;
}

/** The user went there, did not want to, or looked away. */
export type AddressAnswer = 'accept' | 'decline' | 'cancel';

/**
 * A question the host has to answer before the call can go on: thrown by `Host`, and turned into an
 * `input_required` result, after which the same call comes again with the answer.
 */
export class AskHost extends Error {
  readonly requests: Record<string, InputRequest>;

  constructor(requests: Record<string, InputRequest>) {
    super('the host asks the user first');
    this.requests = requests;
  }
}

/** The host of one call. Without a memory, nothing is known but what the call itself says. */
export function hostOf(context: ServerContext, memory: HostMemory | undefined): Host {
  const { envelope, inputResponses } = context.mcpReq;
  const capabilities = membersOf(
    envelope === undefined
      ? memory?.capabilities
      : membersOf(envelope)['io.modelcontextprotocol/clientCapabilities'],
  );
  const namesRoots = capabilities['roots'] !== undefined;

  function answeredRoots(): readonly string[] {
    const answer = inputResponse(inputResponses, 'roots');
    if (answer.kind === 'roots') return toFolders(answer.roots);
    if (inputResponses !== undefined) return [];
    throw new AskHost({ roots: inputRequired.listRoots() });
  }

  function ask(key: string, request: InputRequest): never {
    throw new AskHost({
      [key]: request,
      // A call that comes again brings only what it was asked last.
      ...(namesRoots && memory === undefined ? { roots: inputRequired.listRoots() } : {}),
    });
  }

  return {
    shows_addresses: membersOf(capabilities['elicitation'])['url'] !== undefined,
    showAddress: (key, message, url) =>
      ask(key, inputRequired.elicitUrl({ message: escapeControls(message), url })),
    addressAnswer(key) {
      const answer = inputResponse(inputResponses, key);
      return answer.kind === 'elicit' ? answer.action : undefined;
    },
    async roots() {
      if (memory?.roots !== undefined) return memory.roots;
      if (!namesRoots) return [];
      const roots = envelope === undefined ? await listRoots(context) : answeredRoots();
      if (memory !== undefined) memory.roots = roots;
      return roots;
    },
    confirm(key, lines) {
      if (!canShowForm(capabilities['elicitation'])) return false;
      const answer = inputResponse(inputResponses, key);
      if (answer.kind === 'elicit') {
        return answer.action === 'accept' && answer.content?.['confirm'] === true;
      }
      // What a registry or a file says must not pass for a line of the question.
      const message = lines.map((line) => escapeControls(line)).join('\n');
      const question = { message, requestedSchema: CONFIRMATION };
      return ask(key, inputRequired.elicit(question));
    },
  };
}

const CONFIRMATION = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Yes, write it' } },
  required: ['confirm'],
};

/** A host that names no way to ask has forms: there was nothing else when it was written. */
function canShowForm(elicitation: unknown): boolean {
  if (elicitation === undefined) return false;
  const ways = membersOf(elicitation);
  return ways['form'] !== undefined || ways['url'] === undefined;
}

/** Asks a host of the older era. One that fails to answer names no folders. */
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
      // Not a folder of this machine.
      return [];
    }
  });
}
