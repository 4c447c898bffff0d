import { Link } from 'react-router';
import { Bell } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { cappedCount } from '#ui/pill.tsx';

/** The bell with the unread count, capped for display; its accessible name has the exact number. */
export function BellLink({ href, unread }: { href: string; unread: number }) {
  return (
    <Link className="iconbtn" to={href} aria-label={`${unread} unread messages`}>
      <Icon of={Bell} />
      {unread > 0 && (
        <b className="count" aria-hidden="true">
          {cappedCount(unread)}
        </b>
      )}
    </Link>
  );
}
