import { useEffect } from 'react';

/** Each time a form of the page comes back with errors, the first field that is marked invalid gets the focus (look §7). */
export function useFocusInvalid(errors: object | undefined): void {
  useEffect(() => {
    if (errors) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
  }, [errors]);
}
