import { THEME_KEY } from './theme.ts';

const stored = (): string | null => {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    // Storage is not available (private mode, blocked cookies): the system setting applies.
    return null;
  }
};

/** Sets the class from the stored choice, else from the system. */
function applyTheme(): void {
  const choice = stored();
  const dark = choice ? choice === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.classList.toggle('dark', dark);
}

/** Follows the system setting while nothing is chosen, and choices made in other tabs. Returns the cleanup function. */
export function followTheme(): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === THEME_KEY) applyTheme();
  };
  // The system may have changed between the script in the head and now, when nothing listened.
  applyTheme();
  system.addEventListener('change', applyTheme);
  addEventListener('storage', fromOtherTab);
  return () => {
    system.removeEventListener('change', applyTheme);
    removeEventListener('storage', fromOtherTab);
  };
}
