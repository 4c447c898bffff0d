import type { KeyboardEvent, MouseEvent, ToggleEvent } from 'react';

type Keys = typeof import('./menu-keys.ts');
let loaded: Promise<Keys> | null = null;

/**
 * The keyboard control, loaded when a menu is first used, so that it is no part of every page's first view. One promise for all
 * key presses: what waits for it runs in the order of the presses.
 */
function keys(): Promise<Keys> {
  loaded ??= import('./menu-keys.ts').catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

/** ArrowDown and ArrowUp on the button open its menu and focus the first or last entry. */
function openFromButton(event: KeyboardEvent<HTMLButtonElement>): void {
  const { key, currentTarget } = event;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  event.preventDefault();
  void keys().then((menu) => menu.openFromButton(currentTarget, key));
}

/** Arrow keys, Home, End and first letters move inside an open menu. */
function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event;
  if (/^(Arrow(Down|Up)|Home|End)$/.test(key)) event.preventDefault();
  void keys().then((menu) => menu.moveInMenu(currentTarget, key));
}

/** Closes the menu when an entry is selected; client-side navigation would leave it open. */
function closeOnSelect(event: MouseEvent<HTMLElement>): void {
  if (event.target instanceof Element && event.target.closest('a, button')) event.currentTarget.hidePopover();
}

/** Positions an opening menu in browsers without CSS anchor positioning. */
function positionMenu({ currentTarget, newState }: ToggleEvent<HTMLElement>): void {
  if (newState === 'open') void keys().then((menu) => menu.positionMenu(currentTarget));
}

/** The handlers of a button that opens a menu. */
export const menuButton = { onKeyDown: openFromButton };
/** The handlers of a menu's panel. */
export const menuPanel = { onKeyDown: moveInMenu, onClick: closeOnSelect, onToggle: positionMenu };
