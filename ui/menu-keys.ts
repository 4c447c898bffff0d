import type { KeyboardEvent, MouseEvent, ToggleEvent } from 'react';

const reachable = 'a[href], button:not(:disabled)';

/** The links and buttons of a menu, top to bottom. */
const entriesOf = (panel: HTMLElement): HTMLElement[] =>
  [...panel.querySelectorAll<HTMLElement>(reachable)].filter((entry) => entry.offsetParent !== null);

/** Arrow keys, Home, End and first letters move inside an open menu. */
export function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const entries = entriesOf(event.currentTarget);
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const to = target(event.key, at, entries);
  if (!to) return;
  event.preventDefault();
  to.focus();
}

function target(key: string, at: number, entries: HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return entries[(at + 1) % entries.length];
  if (key === 'ArrowUp') return entries.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return entries[0];
  if (key === 'End') return entries.at(-1);
  if (!/^[\p{L}\p{N}]$/u.test(key)) return undefined;
  const turned = [...entries.slice(at + 1), ...entries.slice(0, at + 1)];
  return turned.find((entry) => entry.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
}

/** ArrowDown and ArrowUp on the button open its menu and go to the first or last entry. */
export function openFromButton(event: KeyboardEvent<HTMLButtonElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const panel = event.currentTarget.popoverTargetElement as HTMLElement | null;
  if (!panel) return;
  event.preventDefault();
  if (!panel.matches(':popover-open')) panel.showPopover({ source: event.currentTarget });
  entriesOf(panel)
    .at(event.key === 'ArrowDown' ? 0 : -1)
    ?.focus();
}

/** Following an entry closes the menu; client navigation would leave it open. */
export function closeOnChoice(event: MouseEvent<HTMLElement>): void {
  if (event.target instanceof Element && event.target.closest('a, button')) event.currentTarget.hidePopover();
}

/** Browsers without CSS anchors get the place of an opening menu by measure: under its button, inside the window. */
export function placeMenu(event: ToggleEvent<HTMLElement>): void {
  if (event.newState !== 'open' || CSS.supports('position-area', 'bottom')) return;
  const panel = event.currentTarget;
  const button = document.querySelector(`[popovertarget="${CSS.escape(panel.id)}"]`)?.getBoundingClientRect();
  if (!button) return;
  const left = panel.classList.contains('menu-end') ? button.right - panel.offsetWidth : button.left;
  const below = button.bottom + 6;
  const above = button.top - 6 - panel.offsetHeight;
  const fits = below + panel.offsetHeight <= innerHeight || above < 0;
  panel.style.position = 'fixed';
  panel.style.inset = `${fits ? below : above}px auto auto ${Math.max(12, Math.min(left, innerWidth - panel.offsetWidth - 12))}px`;
}
