import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { classNames } from './class-names.ts';
import { Icon, type IconDrawing } from './icon.tsx';
import { menuButton, menuPanel } from './menu-handlers.ts';

type MenuEntry =
  | {
      label: string;
      icon?: IconDrawing;
      danger?: boolean;
      disabled?: boolean;
      /** Either a link, or an action (`onSelect`). */
      href?: string;
      /** The link leads to a file, which the browser downloads. */
      file?: boolean;
      onSelect?: () => void;
    }
  | 'line';

interface MenuProps {
  /** The accessible name of the button, when its content is only an icon. */
  label?: string;
  /** What the button shows. */
  children: ReactNode;
  entries: readonly MenuEntry[];
  buttonClass?: string;
  /** Aligned with the right edge of the button. */
  end?: boolean;
}

/** A button with a menu. The native popover handles opening, Escape, clicks outside and restoring focus. */
export function Menu({ label, children, entries, buttonClass = 'btn btn-outline', end }: MenuProps) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        className={buttonClass}
        popoverTarget={id}
        aria-label={label}
        aria-haspopup="menu"
        {...menuButton}
      >
        {children}
      </button>
      <div
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={classNames('menu', end && 'menu-end')}
        {...menuPanel}
      >
        {entries.map((entry, index) =>
          entry === 'line' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a separator has no identity but its position
            <hr key={`line${index}`} />
          ) : (
            <MenuItem key={entry.label} entry={entry} />
          ),
        )}
      </div>
    </>
  );
}

function MenuItem({ entry }: { entry: Exclude<MenuEntry, 'line'> }) {
  const content = (
    <>
      {entry.icon && <Icon of={entry.icon} size={16} />}
      {entry.label}
    </>
  );
  const className = entry.danger ? 'item-bad' : undefined;
  if (entry.href && !entry.disabled) {
    return (
      <Link to={entry.href} reloadDocument={entry.file} role="menuitem" className={className}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      role="menuitem"
      className={className}
      disabled={entry.disabled}
      onClick={entry.onSelect}
    >
      {content}
    </button>
  );
}
