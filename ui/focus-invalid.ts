import { useEffect } from 'react';

/** Focuses the first invalid field each time a form of the page comes back with errors. */
export function useFocusInvalid(errors: object | undefined): void {
  useEffect(() => {
    if (errors) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
  }, [errors]);
}
