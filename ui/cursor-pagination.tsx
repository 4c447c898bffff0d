import { Link } from 'react-router';
import { ChevronRight } from './glyphs.ts';
import { Icon } from './icon.tsx';

interface CursorPaginationProps {
  /** Link to the older entries; null on the last page. */
  older: string | null;
  /** Link to the newest entries; null on the first page. */
  newest: string | null;
}

/** Pagination of a newest-first list. Renders nothing when everything fits on one page. */
export function CursorPagination({ older, newest }: CursorPaginationProps) {
  if (!older && !newest) return null;
  return (
    <nav className="pages" aria-label="Pages">
      {newest && <Link to={newest}>Newest</Link>}
      {older && (
        <Link to={older}>
          Older
          <Icon of={ChevronRight} size={16} />
        </Link>
      )}
    </nav>
  );
}
