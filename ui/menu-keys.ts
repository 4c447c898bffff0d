const reachable = 'a[href], button:not(:disabled)';

/** The links and buttons of a menu, top to bottom. */
const entriesOf = (panel: HTMLElement): HTMLElement[] =>
  [...panel.querySelectorAll<HTMLElement>(reachable)].filter((entry) => entry.offsetParent !== null);

/** Arrow keys, Home, End and first letters move inside an open menu. */
export function moveInMenu(panel: HTMLElement, key: string): void {
  const entries = entriesOf(panel);
  const at = entries.findIndex((entry) => entry.matches(':focus'));
  target(key, at, entries)?.focus();
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

/** Opens the menu of a button and focuses its first entry, or with ArrowUp its last. */
export function openFromButton(button: HTMLButtonElement, key: 'ArrowDown' | 'ArrowUp'): void {
  const panel = button.popoverTargetElement;
  if (!(panel instanceof HTMLElement)) return;
  if (!panel.matches(':popover-open')) panel.showPopover({ source: button });
  entriesOf(panel)
    .at(key === 'ArrowDown' ? 0 : -1)
    ?.focus();
}

/** Positions an opening menu below its button and inside the window, in browsers without CSS anchor positioning. */
export function positionMenu(panel: HTMLElement): void {
  if (CSS.supports('position-area', 'bottom')) return;
  const button = document.querySelector(`[popovertarget="${CSS.escape(panel.id)}"]`)?.getBoundingClientRect();
  if (!button) return;
  const left = panel.classList.contains('menu-end') ? button.right - panel.offsetWidth : button.left;
  const below = button.bottom + 6;
  const above = button.top - 6 - panel.offsetHeight;
  const fits = below + panel.offsetHeight <= innerHeight || above < 0;
  panel.style.position = 'fixed';
  panel.style.inset = `${fits ? below : above}px auto auto ${Math.max(12, Math.min(left, innerWidth - panel.offsetWidth - 12))}px`;
}
