import { useRef, useState, type ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2000;

/** Copies text to the clipboard and confirms it, also to screen readers. */
export function CopyButton({ text, label }: { text: string; label: string }): ReactElement {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  async function copy(): Promise<void> {
    await copyText(text);
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), SHOWN_MS);
  }
  return (
    <Button className="icon-button copy" aria-label={label} onPress={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </Button>
  );
}

/** Copies text; on plain HTTP, where browsers offer no clipboard API, through a selection. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way without a secure context
  document.execCommand('copy');
  field.remove();
}
