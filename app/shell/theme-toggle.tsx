import { Moon, Sun } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { switchTheme } from './theme.ts';

/** The icon of the theme that a click switches to: the moon in light mode, the sun in dark mode. */
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

/** The light/dark switch as an icon button. The icon follows the class on `<html>`, so it is right before hydration. */
export function ThemeToggle({ className = '' }: { className?: string }) {
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

/** The same switch as a labelled row of a menu or sidebar. */
export function ThemeRow({ className }: { className?: string }) {
  return (
    <button type="button" className={`needs-js ${className ?? ''}`} onClick={switchTheme}>
      <ThemeIcon />
      <span className="side-word">Switch theme</span>
    </button>
  );
}
