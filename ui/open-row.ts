import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';

/**
 * What a press on a row of a table does: it opens the row's own link (`a.strong` or `a.cell`), which does the same by
 * keyboard and in a new tab (B-113). Presses on links and buttons, and ones that end a selection of text, are left alone.
 */
export function useOpenRow(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return ({ target, metaKey, ctrlKey, shiftKey }) => {
    if (!(target instanceof Element) || target.closest('a, button, dialog') || metaKey || ctrlKey || shiftKey)
      return;
    const link = target.closest('tbody tr')?.querySelector('a.strong, a.cell');
    if (link && !getSelection()?.toString()) void navigate(link.getAttribute('href') ?? '');
  };
}
