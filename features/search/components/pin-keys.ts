/**
 * Makes the pins one stop of the keyboard: the arrow keys go from one to the next in their order, from top to bottom, Home and End to the
 * first and the last.
 */
export function roveWithArrows(pins: readonly HTMLElement[]): void {
  for (const [at, pin] of pins.entries()) {
    pin.tabIndex = at === 0 ? 0 : -1;
    pin.addEventListener('focus', () => {
      for (const other of pins) other.tabIndex = other === pin ? 0 : -1;
    });
    pin.addEventListener('keydown', (event) => {
      const next = nextPin(event.key, at, pins.length);
      if (next === null || event.altKey || event.ctrlKey || event.metaKey) return;
      // The arrows would also scroll the page.
      event.preventDefault();
      event.stopPropagation();
      pins[next]?.focus({ preventScroll: true });
    });
  }
}

/** Where a key leads from a pin, around the ends; null for other keys. */
export function nextPin(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowLeft':
    case 'ArrowUp':
      return (at + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
