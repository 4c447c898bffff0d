import { useLayoutEffect } from 'react';

/** The texts of text areas: hydration puts back the one that the server has sent, and only of an input leaves what was typed. */
const texts = new WeakMap<Element, string>();

/** Follows what is typed into text areas before React has arrived, on a slow connection; called before hydration. */
export function noteTyping(): void {
  const note = ({ target }: { target: EventTarget | null }) =>
    target instanceof HTMLTextAreaElement && texts.set(target, target.value);
  for (const target of document.querySelectorAll('textarea')) note({ target });
  document.addEventListener('input', note, true);
}

/**
 * Hands the text field with this id what was typed into it before hydration, as if it were typed now: React starts from the text that
 * the server has sent, and would put that back.
 */
export function useTypedBefore(id: string): void {
  useLayoutEffect(() => {
    const control = document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement | null;
    if (!control || control.type === 'file') return;
    const { value, defaultValue } = control;
    const text = texts.get(control) ?? value;
    // A list of choices has no default value.
    if (text === (defaultValue ?? text)) return;
    // React compares with what was last set on the element itself, and would see no change.
    control.value = defaultValue;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, text);
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }, [id]);
}
