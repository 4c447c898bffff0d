import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';

/**
 * Click handler that follows a table row's own link (`a.strong` or `a.cell`), which stays available to the keyboard and
 * for opening in a new tab. Ignores clicks on links and buttons, and clicks that end a text selection.
 */
export function useRowClick(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return ({ target, metaKey, ctrlKey, shiftKey }) => {
    if (!(target instanceof Element) || target.closest('a, button, dialog') || metaKey || ctrlKey || shiftKey)
      return;
    const link = target.closest('tbody tr')?.querySelector('a.strong, a.cell');
    if (link && !getSelection()?.toString()) void navigate(link.getAttribute('href') ?? '');
  };
}
