import { type ComponentType, type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { unreadText } from '#features/bell/display.ts';
import type { UnreadCounts } from '#features/bell/model.ts';
import { totalUnread } from '#features/bell/rules.ts';
import { Bell as BellGlyph } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { menuPanel } from '#ui/menu-handlers.ts';
import { cappedCount } from '#ui/pill.tsx';
import { bellHref } from './account-links.ts';
import type { BellPanelProps } from './bell-panel.tsx';
import type { Viewer } from './viewer.ts';

const PANEL = 'bell-panel';

interface BellProps {
  role: Viewer['role'];
  unread: UnreadCounts;
}

/**
 * The bell with the number of everything unread, capped for display; its accessible name says exactly what it counts. It opens
 * a panel with the newest of each kind; without scripts, or in a new tab, it is a link to the messages.
 */
export function BellButton({ role, unread }: BellProps) {
  const [open, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const bell = useRef<HTMLAnchorElement>(null);
  const wasOpen = useRef(false);
  const total = totalUnread(unread);
  const close = () => panel.current?.hidePopover();
  useCloseOnNavigation(close);

  const toggle = (event: MouseEvent<HTMLAnchorElement>) => {
    const { metaKey, ctrlKey, shiftKey, altKey, detail } = event;
    if (metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    // A press of the pointer has closed an open panel before it becomes a click; a press of a key has not.
    const isOpen = detail === 0 ? panel.current?.matches(':popover-open') : wasOpen.current;
    if (isOpen) return close();
    panel.current?.showPopover();
    panel.current?.focus();
  };
  return (
    <>
      <Link
        ref={bell}
        className="iconbtn drop-bell"
        to={bellHref(role, unread)}
        aria-label={unreadText(unread)}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={PANEL}
        onPointerDown={() => {
          wasOpen.current = panel.current?.matches(':popover-open') ?? false;
        }}
        onClick={toggle}
        onKeyDown={pressOnSpace}
      >
        <Icon of={BellGlyph} />
        {total > 0 && (
          <b className="count" aria-hidden="true">
            {cappedCount(total)}
          </b>
        )}
      </Link>
      <div
        ref={panel}
        id={PANEL}
        className="bell-panel"
        popover="auto"
        role="dialog"
        aria-label="Notifications"
        tabIndex={-1}
        onKeyDown={menuPanel.onKeyDown}
        onToggle={({ newState, currentTarget }) => {
          setOpen(newState === 'open');
          if (newState === 'open' && bell.current) positionPanel(currentTarget, bell.current);
        }}
      >
        {open && <PanelContent role={role} unread={unread} close={close} />}
      </div>
    </>
  );
}

function useCloseOnNavigation(close: () => void): void {
  const { key } = useLocation();
  const latest = useRef(close);
  latest.current = close;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each navigation
  useEffect(() => latest.current(), [key]);
}

function pressOnSpace(event: KeyboardEvent<HTMLAnchorElement>): void {
  if (event.key !== ' ') return;
  event.preventDefault();
  event.currentTarget.click();
}

/** Below the bell, in browsers without CSS anchor positioning; on phones the panel is a sheet. */
function positionPanel(panel: HTMLElement, bell: HTMLElement): void {
  if (CSS.supports('position-area', 'bottom') || matchMedia('(width < 600px)').matches) return;
  const { bottom, right } = bell.getBoundingClientRect();
  const left = Math.max(12, Math.min(right - panel.offsetWidth, innerWidth - panel.offsetWidth - 12));
  panel.style.inset = `${bottom + 6}px auto auto ${left}px`;
}

/** The content, whose code is loaded when the panel is first opened. */
function PanelContent(props: BellPanelProps) {
  const [Loaded, setLoaded] = useState<ComponentType<BellPanelProps> | null>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads it again
  useEffect(() => {
    let isLeaving = false;
    setFailed(false);
    import('./bell-panel.tsx').then(
      ({ BellPanel }) => isLeaving || setLoaded(() => BellPanel),
      () => isLeaving || setFailed(true),
    );
    return () => {
      isLeaving = true;
    };
  }, [attempt]);
  if (Loaded) return <Loaded {...props} />;
  return failed ? (
    <div className="fail" role="alert">
      <b>Failed to load notifications</b>
      <button type="button" className="btn btn-outline" onClick={() => setAttempt(attempt + 1)}>
        Retry
      </button>
    </div>
  ) : (
    <p className="bell-wait" role="status">
      Loading notifications...
    </p>
  );
}
