import type { KeyboardEvent } from 'react';

interface DeskKeys {
  next: () => void;
  previous: () => void;
  select: () => void;
  approve: () => void;
  requestChanges: () => void;
  reject: () => void;
}

const actions: Readonly<Record<string, keyof DeskKeys>> = {
  j: 'next',
  k: 'previous',
  x: 'select',
  a: 'approve',
  c: 'requestChanges',
  r: 'reject',
};

const isTyping = (target: EventTarget) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox])'));

/**
 * Handles single keys while the focus is in the desk: not while something is typed, and not for the whole page, so that
 * they never get in the way of anything else.
 */
export const deskKeys =
  (keys: DeskKeys) =>
  (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    const action = actions[event.key.toLowerCase()];
    if (!action || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    keys[action]();
  };
