import { useEffect } from 'react';
import { Moon, Sun } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { followTheme, switchTheme } from './theme.ts';

/** The icon that the press leads to: the moon by day, the sun by night. */
function ThemeIcon() {
  return (
    <>
      <span className="only-light">
        <Icon of={Moon} />
      </span>
      <span className="only-dark">
        <Icon of={Sun} />
      </span>
    </>
  );
}

/** The light/dark switch as an icon button. The drawing follows the class on `<html>`, so it is right before hydration. */
export function ThemeToggle({ className = '' }: { className?: string }) {
  useEffect(followTheme, []);
  return (
    <button
      type="button"
      className={`iconbtn needs-js ${className}`}
      aria-label="Switch theme"
      onClick={switchTheme}
    >
      <ThemeIcon />
    </button>
  );
}

/** The same switch as a row of a menu or sidebar, with its words. */
export function ThemeRow({ className }: { className?: string }) {
  return (
    <button type="button" className={`needs-js ${className ?? ''}`} onClick={switchTheme}>
      <ThemeIcon />
      <span className="side-word">Switch theme</span>
    </button>
  );
}
