/** Local storage key of the chosen theme; without a choice the system setting applies. */
export const THEME_KEY = 'acre-theme';

/** Switches to the other theme and saves the choice. */
export function switchTheme(): void {
  const dark = !document.documentElement.classList.contains('dark');
  document.documentElement.classList.toggle('dark', dark);
  try {
    localStorage.setItem(THEME_KEY, dark ? 'dark' : 'light');
  } catch {
    // Storage is not available: the choice lasts for this page only.
  }
}
