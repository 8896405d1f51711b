import { escapeControls } from '@catalog/contract/text/escape-controls';
import { useEffect } from 'react';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'catalog' : `${escapeControls(title)} · catalog`;
  }, [title]);
}
