import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ChevronLeft, ChevronRight } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { PageSizeChoice } from './page-size-choice.tsx';
import { PAGE_SIZES, type PageSize } from './page-sizes.ts';
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
  /** For a list whose size the URL's parameter `size` says: its rows on all pages. */
  rows?: number | undefined;
  /** rows on a page of such a list where nothing was chosen */
  usualSize?: PageSize;
}

/** Links to the pages of a list, and to longer or shorter ones; renders nothing when there is only one of any length. */
export function Pagination({ rows = 0, usualSize = PAGE_SIZES[0], ...list }: PaginationProps) {
  if (rows <= PAGE_SIZES[0]) return <Pages {...list} />;
  return (
    <div className="pages-bar">
      <Pages {...list} />
      <PageSizeChoice usual={usualSize} keepsScroll={list.keepsScroll} />
    </div>
  );
}

function Pages({
  page,
  pages,
  href,
  label = 'Pages',
  keepsScroll,
}: Omit<PaginationProps, 'rows' | 'usualSize'>) {
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
