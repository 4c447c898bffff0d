import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Goes to the field that the URL names ('#description'), for links that say what to mend. */
export function FocusNamedField() {
  const { hash } = useLocation();
  useEffect(() => {
    const name = decodeURIComponent(hash.slice(1));
    if (!name) return;
    const field = document.querySelector<HTMLElement>(`main form [name="${CSS.escape(name)}"]`);
    field?.focus();
    if (!field) document.getElementById(name)?.scrollIntoView();
  }, [hash]);
  return null;
}
