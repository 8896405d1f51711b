/** Types whose manifest is written in another form, so that a key can be lost. */
export type KeyedType = 'skill' | 'agent' | 'command' | 'rule' | 'hook' | 'mcp-server';

/**
 * Consequence of a key that is not written, as the rest of a sentence. `null` if the key neither limits
 * the artifact nor runs anything.
 */
export type Consequence = string | null;

const EVERY_TOOL = 'the agent may use every tool of the session';
const SESSION_PERMISSIONS = 'the agent has the permissions of the session';
const EVERY_FILE = 'it does not limit the rule to files; use `rule_globs`';
const NO_TURN_LIMIT = 'the number of its turns is not limited';

const HINTS = {
  effort_hint: null,
  model_class_hint: null,
  effort: null,
  reasoningEffort: null,
} satisfies Record<string, Consequence>;

/**
 * Keys that harnesses document for each type, in addition to the canonical keys. A key that is not
 * listed is judged by its name (`keyConsequence`).
 */
export const NATIVE_KEYS: Readonly<Record<KeyedType, Readonly<Record<string, Consequence>>>> = {
  skill: {
    effort_hint: null,
    model_class_hint: null,
    'allowed-tools': null,
    'disable-model-invocation': null,
    'disallowed-tools': null,
    model: null,
    'user-invocable': null,
  },
  agent: {
    ...HINTS,
    tools: EVERY_TOOL,
    disallowedTools: EVERY_TOOL,
    permission: SESSION_PERMISSIONS,
    permissionMode: SESSION_PERMISSIONS,
    approvalMode: SESSION_PERMISSIONS,
    sandbox_mode: 'the agent has the sandbox of the session',
    readonly: 'the agent may change files',
    isolation: 'the agent works in the workspace itself',
    maxTurns: NO_TURN_LIMIT,
    max_turns: NO_TURN_LIMIT,
    steps: NO_TURN_LIMIT,
    timeout_mins: 'its running time is not limited',
    hooks: 'they do not run; deliver each as a hook artifact',
    mcp_servers: 'they are not started; use `mcpServers`',
    'mcp-servers': 'they are not started; use `mcpServers`',
    initialPrompt: 'it is not sent',
    disable: 'the agent is available',
    'disable-model-invocation': 'the model may call the agent on its own',
    agents: 'the agent may call any other agent',
    allowedTools: 'its tools need the approvals of the session',
    model: 'that of the session is used',
    background: null,
    color: null,
    display_name: null,
    hidden: null,
    input: null,
    is_background: null,
    kind: null,
    memory: null,
    mode: null,
    model_reasoning_effort: null,
    nickname_candidates: null,
    options: null,
    output: null,
    reasoningLevel: null,
    skills: null,
    target: null,
    temperature: null,
    top_p: null,
    variant: null,
  },
  command: {
    ...HINTS,
    'allowed-tools': 'the command has the tools and approvals of the session',
    'disallowed-tools': 'the command may use every tool of the session',
    tools: 'the command may use every tool of the session',
    'disable-model-invocation': 'the model may run the command on its own',
    agent: 'the agent of the session runs the command',
    context: 'the command runs in the session itself',
    subtask: 'the command runs in the session itself',
    hooks: 'they do not run; deliver each as a hook artifact',
    model: 'that of the session is used',
    'argument-hint': null,
    arguments: null,
    invokable: null,
    mode: null,
    paths: null,
    shell: null,
    'user-invocable': null,
  },
  rule: {
    alwaysApply: 'it does not decide when the rule applies; use `rule_mode`',
    applyTo: EVERY_FILE,
    excludeAgent: 'every agent reads the rule',
    fileMatchPattern: EVERY_FILE,
    globs: EVERY_FILE,
    inclusion: 'it does not decide when the rule applies; use `rule_mode`',
    paths: EVERY_FILE,
    regex: EVERY_FILE,
    trigger: 'it does not decide when the rule applies; use `rule_mode`',
  },
  hook: {
    async: 'the harness waits for the hook',
    command: 'it does not run; use `hook_action`',
    cwd: 'the hook runs in the directory that the harness chooses',
    env: 'the hook does not get these variables',
    failClosed: 'a failing hook may let the tool run',
    if: 'the hook runs without this condition',
    loop_limit: 'the hook may run again without a limit',
    matcher: 'the hook runs for every tool; use `hook_matcher`',
    once: 'the hook runs every time',
    timeout: 'the time limit of the harness applies; use `hook_timeout`',
    statusMessage: null,
  },
  'mcp-server': {
    alwaysAllow: 'its tools need the approvals of the session',
    autoApprove: 'its tools need the approvals of the session',
    cwd: 'the server starts in the directory that the harness chooses',
    disabled: 'the server is enabled',
    disabledTools: 'the server offers all its tools; use `denied_tools`',
    enabled: 'the server is enabled',
    enabled_tools: 'the server offers all its tools; use `allowed_tools`',
    envFile: 'the server does not get the variables of the file',
    excludeTools: 'the server offers all its tools; use `denied_tools`',
    headersHelper: 'it does not run, so the server does not get these headers',
    includeTools: 'the server offers all its tools; use `allowed_tools`',
    oauth: 'the server signs in without these settings',
    startup_timeout_sec: 'the time limit of the harness applies',
    tool_timeout_sec: 'the time limit of the harness applies',
    tools: 'the server offers all its tools; use `allowed_tools`',
    trust: 'its tools need the approvals of the session',
  },
};
