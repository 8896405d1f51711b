import { useCallback, useEffect, useRef, useState, type ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Icon } from './icon.tsx';
import * as buttonStyles from './button.module.css';
import * as textStyles from './text.module.css';
import * as styles from './copy-button.module.css';

const SHOWN_MS = 2000;

export function CopyButton({
  text,
  label,
  event,
}: {
  text: string;
  label: string;
  /** Document event that also copies the text. */
  event?: string;
}): ReactElement {
  const [state, setState] = useState<'' | 'Copied' | 'Not copied'>('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = useCallback(async (): Promise<void> => {
    const isCopied = await copyText(text);
    setState(isCopied ? 'Copied' : 'Not copied');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState(''), SHOWN_MS);
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (event === undefined) return undefined;
    const onEvent = (): void => void copy();
    document.addEventListener(event, onEvent);
    return () => document.removeEventListener(event, onEvent);
  }, [event, copy]);
  return (
    <span className={styles.copyButton}>
      <span className={styles.copied} role="status">
        {state}
      </span>
      <Button className={buttonStyles.iconButton} aria-label={label} onPress={() => void copy()}>
        <Icon name={state === 'Copied' ? 'check' : 'copy'} />
      </Button>
    </span>
  );
}

/** Copies text and returns true on success. On plain HTTP, browsers have no clipboard API. */
async function copyText(text: string): Promise<boolean> {
  if (!window.isSecureContext) return copySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = textStyles.visuallyHidden;
  document.body.append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way without the clipboard API
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
