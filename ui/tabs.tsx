import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router';
import { Pill } from './pill.tsx';

export interface Tab {
  id: string;
  label: string;
  /** A warn pill; nothing for zero. */
  count?: number;
  /** Names the count ('3 unread'). */
  countLabel?: string;
  /** The tab's address: the place that a person may share or come back to. Without it `onSelect` is called. */
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

/** Text tabs on a hairline. One tab stop; arrow keys, Home and End move; Enter or Space follows. */
export function Tabs({ label, tabs, current, onSelect, children }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place to scroll to
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
            children: <TabWords tab={tab} />,
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may hold nothing that takes focus
        tabIndex={0}
      >
        {children}
      </div>
    </>
  );
}

function TabWords({ tab }: { tab: Tab }) {
  return (
    <>
      <span className="tab-label" data-label={tab.label}>
        {tab.label}
      </span>
      {tab.count !== undefined && <Pill count={tab.count} label={tab.countLabel ?? String(tab.count)} />}
    </>
  );
}

/** On narrow screens the tabs scroll sideways: the current one stands in the middle. */
function showCurrent(list: HTMLElement | null): void {
  const tab = list?.querySelector('[aria-selected="true"]');
  if (!list || !tab) return;
  const [outer, inner] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  list.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2;
}

function move(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
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
