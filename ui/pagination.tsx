import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ChevronLeft, ChevronRight } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { pageWindow } from './page-window.ts';

interface PaginationProps {
  /** 1-based. */
  page: number;
  pages: number;
  /** The URL of a page, keeping the list's other parameters. */
  href: (page: number) => string;
  label?: string;
  /** For a list that is not all of its page: stay where the list is. */
  keepsScroll?: boolean;
}

/** Links to the pages of a list; renders nothing when there is only one. */
export function Pagination({ page, pages, href, label = 'Pages', keepsScroll }: PaginationProps) {
  if (pages <= 1) return null;
  return (
    <nav className="pages" aria-label={label}>
      <Step to={page > 1 ? href(page - 1) : null} rel="prev" keepsScroll={keepsScroll}>
        <Icon of={ChevronLeft} size={16} />
        Previous
      </Step>
      {pageWindow(page, pages).map((entry, index) =>
        entry === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no identity but its position
          <span key={`gap${index}`} className="off far" aria-hidden="true">
            …
          </span>
        ) : entry === page ? (
          <span key={entry} aria-current="page">
            <span className="vh">Page </span>
            {entry}
          </span>
        ) : (
          <Link
            key={entry}
            to={href(entry)}
            preventScrollReset={keepsScroll}
            className={Math.abs(entry - page) > 1 ? 'far' : undefined}
            aria-label={`Page ${entry}`}
          >
            {entry}
          </Link>
        ),
      )}
      <Step to={page < pages ? href(page + 1) : null} rel="next" keepsScroll={keepsScroll}>
        Next
        <Icon of={ChevronRight} size={16} />
      </Step>
    </nav>
  );
}

interface StepProps {
  /** null where there is no such page */
  to: string | null;
  rel: string;
  keepsScroll: boolean | undefined;
  children: ReactNode;
}

function Step({ to, rel, keepsScroll, children }: StepProps) {
  if (to === null) return <span className="off">{children}</span>;
  return (
    <Link to={to} rel={rel} preventScrollReset={keepsScroll}>
      {children}
    </Link>
  );
}
