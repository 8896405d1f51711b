import type { ArtifactRecord } from '@catalog/contract/records/artifact';
import type { ExecutableCapability } from '@catalog/core/capabilities/capability';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import { Fragment, useState, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { artifactHref } from '../../app/links.ts';
import { classes } from '../../parts/classes.ts';
import * as cardStyles from '../../parts/card.module.css';
import * as textStyles from '../../parts/text.module.css';
import * as styles from './can-run.module.css';

const SHOWN = 6;

/** Lists everything in an artifact that a harness would run, or that extends its permissions. */
export function CanRun({
  record,
  capabilities,
}: {
  record: ArtifactRecord;
  capabilities: readonly ExecutableCapability[];
}): ReactElement {
  const [isOpen, setOpen] = useState(false);
  if (capabilities.length === 0) {
    return (
      <section className={cardStyles.card}>
        <h2 className={cardStyles.title}>Can run</h2>
        <p className={textStyles.small}>Nothing. This artifact is text only.</p>
      </section>
    );
  }
  const shown = isOpen ? capabilities : capabilities.slice(0, SHOWN);
  return (
    <section className={classes(cardStyles.card, styles.warn)}>
      <h2 className={cardStyles.title}>Can run</h2>
      <ul>
        {shown.map((capability) => (
          <li key={keyOf(capability)}>{describe(capability, record)}</li>
        ))}
      </ul>
      {capabilities.length > SHOWN && (
        <button type="button" className={textStyles.smallLink} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `Show all ${capabilities.length}`}
        </button>
      )}
    </section>
  );
}

function keyOf(capability: ExecutableCapability): string {
  return JSON.stringify(capability);
}

function describe(capability: ExecutableCapability, record: ArtifactRecord): ReactNode {
  const file = 'file' in capability ? <FileLink path={capability.file} record={record} /> : null;
  switch (capability.kind) {
    case 'hook':
      return (
        <>
          Hook{capability.event === '' ? '' : ` on ${escapeControls(capability.event)}`}:{' '}
          {invoked(capability)}
        </>
      );
    case 'mcp_server':
      return (
        <>
          MCP server {text(capability.name)}: {invoked(capability)}
        </>
      );
    case 'command':
      return (
        <>
          Setting {text(capability.key)}: {invoked(capability)}
        </>
      );
    case 'allowed_tool':
      return <>Tool {text(capability.tool)} without asking</>;
    case 'permission':
      return (
        <>
          Permission {text(capability.key)}: {text(capability.value)}
        </>
      );
    case 'environment_variable':
      return <>Environment variable {text(capability.name)}</>;
    case 'plugin':
      return <>Loads {text(capability.source)}</>;
    case 'inline_command':
      return <>Inline command {text(capability.command)}</>;
    case 'script':
      return <>{file}</>;
    case 'configuration_file':
      return <>{file} (configuration)</>;
    case 'unknown_executable_key':
      return (
        <>
          Unknown key {text(capability.key)}: {text(capability.value)}
        </>
      );
    case 'unreadable_file':
      return <>{file} (cannot be read)</>;
    case 'truncated':
      break;
  }
  return <>More than {capability.limit} others</>;
}

function invoked({
  command,
  args,
  url,
  prompt,
}: {
  command?: string;
  args: readonly string[];
  url?: string;
  prompt?: string;
}): ReactNode {
  const line = command === undefined ? undefined : [command, ...args].join(' ');
  const parts = [url, line, prompt].filter((part) => part !== undefined);
  if (parts.length === 0) return text('configured elsewhere');
  return parts.map((part, index) => (
    <Fragment key={part}>
      {index > 0 && ' and '}
      {text(part)}
    </Fragment>
  ));
}

const MAX_LENGTH = 200;

function text(value: string): ReactElement {
  const escaped = escapeControls(value);
  return <code>{escaped.length > MAX_LENGTH ? `${escaped.slice(0, MAX_LENGTH)}…` : escaped}</code>;
}

function FileLink({ path, record }: { path: string; record: ArtifactRecord }): ReactElement {
  return (
    <Link href={artifactHref(record.id, { tab: 'files', file: path })}>
      <code>{escapeControls(path)}</code>
    </Link>
  );
}
