import { type ReactNode, useId, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { useModal } from './dialog.tsx';
import { X } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { type Tab, Tabs } from './tabs.tsx';

interface DrawerContent {
  title: string;
  /** a line below the title: what identifies the record */
  text?: ReactNode;
  /** left of the title, 84 × 56 px */
  picture?: ReactNode;
  /** Buttons in the foot, the main one first. */
  actions?: ReactNode;
  /** Tabs of which each has a URL of its own; the children are then the panel of the current one. */
  tabs?: { label: string; tabs: readonly Tab[]; current: string };
  /** `DrawerSection`s */
  children: ReactNode;
}

interface DrawerProps {
  /** null while closed, so that the page need not load a record */
  content: DrawerContent | null;
  /** the page's URL without the record; closing leads there */
  closeHref: string;
  /** While true it cannot be closed, because an action is in progress. */
  locked?: boolean;
}

/**
 * The details of one record of a list, opened by the page's URL (`?details=ID`): modal, from the right, below 640 px a
 * full-width sheet from the bottom. The native element traps the focus and returns it. Without scripts it is a section
 * of the page where it stands, so it belongs above the list.
 */
export function Drawer({ content, closeHref, locked }: DrawerProps) {
  const id = useId();
  const navigate = useNavigate();
  // What it showed stays in it while it slides out.
  const latest = useRef(content);
  if (content) latest.current = content;
  const shown = latest.current;
  const { element, wasOpen } = useModal({
    open: content !== null,
    onClose: () => void navigate(closeHref, { preventScrollReset: true }),
    locked,
  });
  if (!wasOpen || !shown) return null;
  const { title, text, picture, actions, tabs, children } = shown;
  return (
    <dialog {...element} className="drawer" aria-labelledby={`${id}-title`}>
      <header className="drawer-head">
        {picture && <div className="drawer-picture">{picture}</div>}
        <div className="drawer-title">
          <h2 id={`${id}-title`}>{title}</h2>
          {text && <p>{text}</p>}
        </div>
        <Link
          to={closeHref}
          className="iconbtn iconbtn-sm drawer-x"
          aria-label="Close"
          aria-disabled={locked || undefined}
          onClick={(event) => locked && event.preventDefault()}
          preventScrollReset
        >
          <Icon of={X} />
        </Link>
      </header>
      {/* biome-ignore lint/a11y/useSemanticElements: a group, but not a fieldset */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <div className="drawer-body" role="group" aria-labelledby={`${id}-title`} tabIndex={0}>
        {tabs ? <Tabs {...tabs}>{children}</Tabs> : children}
      </div>
      {actions && <footer className="drawer-foot">{actions}</footer>}
    </dialog>
  );
}

interface SectionProps {
  title?: string;
  /** Shown at the right of the title: a count, the rail. */
  note?: ReactNode;
  children: ReactNode;
}

/** A part of a drawer, divided from the next by a hairline. */
export function DrawerSection({ title, note, children }: SectionProps) {
  const id = useId();
  return (
    <section className="drawer-section" aria-labelledby={title ? id : undefined}>
      {title && (
        <div className="drawer-section-head">
          <h3 id={id}>{title}</h3>
          {note && <span>{note}</span>}
        </div>
      )}
      {children}
    </section>
  );
}

/** Facts of a record as pairs of a name and a value; a pair whose value is null or undefined is left out. */
export function DrawerFacts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="drawer-facts">
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
