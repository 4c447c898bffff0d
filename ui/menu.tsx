import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { classNames } from './class-names.ts';
import { Icon, type IconDrawing } from './icon.tsx';
import { closeOnChoice, moveInMenu, openFromButton, placeMenu } from './menu-keys.ts';

export type MenuEntry =
  | {
      label: string;
      icon?: IconDrawing;
      danger?: boolean;
      disabled?: boolean;
      /** A place to go, or a deed. */
      href?: string;
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
  /** Hangs from the right edge of the button. */
  end?: boolean;
}

/** A button with a menu of deeds. Opening, Escape, the press outside and the way back of focus are the popover's. */
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
        onKeyDown={openFromButton}
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
        onKeyDown={moveInMenu}
        onClick={closeOnChoice}
        onToggle={placeMenu}
      >
        {entries.map((entry, index) =>
          entry === 'line' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its place
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
  const words = (
    <>
      {entry.icon && <Icon of={entry.icon} size={16} />}
      {entry.label}
    </>
  );
  const className = entry.danger ? 'item-bad' : undefined;
  if (entry.href && !entry.disabled) {
    return (
      <Link to={entry.href} role="menuitem" className={className}>
        {words}
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
      {words}
    </button>
  );
}
