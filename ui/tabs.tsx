import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import { Pill } from './pill.tsx';

export interface Tab {
  id: string;
  label: string;
  /** Shown as a pill; nothing is shown for zero. */
  count?: number;
  /** The accessible name of the count ('3 unread'). */
  countLabel?: string;
  /** The tab's own URL, so that it can be shared and bookmarked. Without it, `onSelect` is called. */
  href?: string;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  current: string;
  onSelect?: (id: string) => void;
  /** The panel of the current tab. */
  children: ReactNode;
}

/** Text tabs with one tab stop: arrow keys, Home and End move the focus, Enter or Space selects. */
export function Tabs({ label, tabs, current, onSelect, children }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tab has its own scroll position
  useEffect(() => showCurrent(list.current), [current]);
  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => {
          const chosen = tab.id === current;
          const shared = {
            id: `${id}-${tab.id}`,
            role: 'tab',
            'aria-selected': chosen,
            'aria-controls': chosen ? `${id}-panel` : undefined,
            tabIndex: chosen ? 0 : -1,
            children: <TabContent tab={tab} />,
          };
          return tab.href === undefined ? (
            <button key={tab.id} type="button" {...shared} onClick={() => onSelect?.(tab.id)} />
          ) : (
            <Link key={tab.id} to={tab.href} preventScrollReset {...shared} />
          );
        })}
      </div>
      <div
        className="tab-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may contain nothing focusable
        tabIndex={0}
      >
        {children}
      </div>
    </>
  );
}

function TabContent({ tab }: { tab: Tab }) {
  return (
    <>
      <span className="tab-label" data-label={tab.label}>
        {tab.label}
      </span>
      {tab.count !== undefined && <Pill count={tab.count} label={tab.countLabel ?? String(tab.count)} />}
    </>
  );
}

/** Centres the current tab on narrow screens, where the tabs scroll sideways. */
function showCurrent(list: HTMLElement | null): void {
  const tab = list?.querySelector('[aria-selected="true"]');
  if (!list || !tab) return;
  const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  list.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
}

function move(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = tabs.findIndex((tab) => tab.matches(':focus'));
  if (at < 0) return;
  if (event.key === ' ' && tabs[at] instanceof HTMLAnchorElement) {
    event.preventDefault();
    tabs[at].click();
    return;
  }
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  tabs.at(to % tabs.length)?.focus();
}
