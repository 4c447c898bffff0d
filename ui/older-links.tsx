import { Link } from 'react-router';
import { ChevronRight } from './glyphs.ts';
import { Icon } from './icon.tsx';

interface OlderLinksProps {
  /** Where older ones are; null when these are the last. */
  older: string | null;
  /** Where the newest are; null when these are they. */
  newest: string | null;
}

/** The way through a list that is read from the newest on. Renders nothing when all fits one page. */
export function OlderLinks({ older, newest }: OlderLinksProps) {
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
