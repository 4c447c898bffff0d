import { useLayoutEffect } from 'react';

type TextControl = HTMLInputElement | HTMLTextAreaElement;

const typedBefore = new WeakMap<TextControl, string>();

const isTextControl = (target: EventTarget | null): target is TextControl =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !/^(?:checkbox|radio|file|hidden)$/.test(target.type));

/**
 * Notes what is typed before React has arrived, on a slow connection; called before hydration. A page that is reloaded or returned to is
 * left out until then: its browser may have filled in what was typed into an older version of it.
 */
export function noteTyping(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation?.type === 'navigate')
    for (const control of document.querySelectorAll('input, textarea'))
      if (isTextControl(control) && control.value !== control.defaultValue)
        typedBefore.set(control, control.value);
  document.addEventListener(
    'input',
    ({ target }) => isTextControl(target) && typedBefore.set(target, target.value),
    true,
  );
}

/**
 * Hands the field with this id what was typed into it before hydration, as if it were typed now: React starts from the text that the
 * server has sent, and would put it back.
 */
export function useTypedBefore(id: string): void {
  useLayoutEffect(() => {
    const control = document.getElementById(id);
    const text = isTextControl(control) ? typedBefore.get(control) : undefined;
    if (!isTextControl(control) || text === undefined || text === control.defaultValue) return;
    typedBefore.delete(control);
    const type = control instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
    // React compares with the last value that was set on the element itself, and would see no change.
    control.value = control.defaultValue;
    Object.getOwnPropertyDescriptor(type.prototype, 'value')?.set?.call(control, text);
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }, [id]);
}
