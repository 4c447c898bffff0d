import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { Icon, type IconDrawing } from './icon.tsx';
import { Pill } from './pill.tsx';
import { currentHref } from './sidebar-rows.ts';
import { Tooltip } from './tooltip.tsx';

export interface SidebarRow {
  href: string;
  /** other paths whose pages belong to it */
  also?: readonly string[];
  label: string;
  icon: IconDrawing;
  count?: number;
  /** what is counted, in words ('4 pending') */
  countLabel?: string;
  /** It stands below the divider. */
  below?: boolean;
}

interface SidebarProps {
  /** The id that the button opening the mobile sheet refers to in `popovertarget`. */
  id: string;
  label: string;
  rows: readonly SidebarRow[];
  /** Icons only, with the labels as tooltips. */
  collapsed?: boolean;
  header?: ReactNode;
  footer?: ReactNode;
}

/** Navigation of a signed-in area: a column on wide screens, a sheet from the left below 960 px, in the back office below 768. */
export function Sidebar({ id, label, rows, collapsed, header, footer }: SidebarProps) {
  const { pathname } = useLocation();
  const current = currentHref(pathname, rows);
  const firstBelow = rows.find(({ below }) => below);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the clicks bubble up from links, which have keyboard support
    <nav id={id} className="side" popover="auto" aria-label={label} onClick={closeSheet}>
      {header}
      <ul>
        {rows.map((row) => (
          <li key={row.href} className={row === firstBelow ? 'side-divided' : undefined}>
            <Tooltip text={row.label} side="right" off={!collapsed}>
              <Link
                to={row.href}
                className="side-row"
                aria-current={row.href === current ? 'page' : undefined}
              >
                <Icon of={row.icon} />
                <span className="side-word">{row.label}</span>
                {row.count !== undefined && (
                  <Pill count={row.count} label={row.countLabel ?? String(row.count)} />
                )}
              </Link>
            </Tooltip>
          </li>
        ))}
      </ul>
      {footer}
    </nav>
  );
}

function closeSheet(event: React.MouseEvent<HTMLElement>): void {
  const side = event.currentTarget;
  if (event.target instanceof Element && event.target.closest('a') && side.matches(':popover-open'))
    side.hidePopover();
}
