import { useLayoutEffect } from 'react';

/**
 * Focuses the first invalid field each time a form of the page comes back with errors: together with their being shown, since
 * later it could take the focus from a field in which somebody is typing by then.
 */
export function useFocusInvalid(errors: object | undefined): void {
  useLayoutEffect(() => {
    if (errors) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
  }, [errors]);
}
