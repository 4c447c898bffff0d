import './notifications.css';
import type { MouseEvent } from 'react';
import { Link } from 'react-router';
import type { Role } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';
import { INTENT } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { classNames } from '#ui/class-names.ts';
import { CursorPagination } from '#ui/cursor-pagination.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Icon } from '#ui/icon.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { NO_UPDATES, type NotificationPage, type PropertyNotification } from '../model.ts';
import { changeDrawing } from './change-drawing.ts';
import { notificationHref } from './notification-href.ts';

interface Props {
  page: NotificationPage;
  /** number of unread notifications, including those on other pages */
  unread: number;
  /** true if this is not the newest page */
  older: boolean;
  /** whose page it is on */
  role: Role;
  onRead: (id: string) => void;
  onAllRead: () => void;
}

/** Changes of watched properties, newest first. The forms also work without JavaScript. */
export function NotificationList({ page, unread, older, role, onRead, onAllRead }: Props) {
  const tab = 'notifications';
  if (page.rows.length === 0)
    return (
      <EmptyState bare title={NO_UPDATES} text="Watch a property to follow its price and status here." />
    );
  return (
    <>
      <form
        className="notes-head"
        method="post"
        action={paths.buyerNotifications()}
        onSubmit={(event) => {
          event.preventDefault();
          if (unread > 0) onAllRead();
        }}
      >
        <p role="status">{unread > 0 ? `${unread} unread` : 'All read'}</p>
        <Button
          type="submit"
          name={INTENT}
          value="read-all"
          variant="outline"
          size="sm"
          aria-disabled={unread === 0 || undefined}
        >
          Mark all as read
        </Button>
      </form>
      <ul className="notes">
        {page.rows.map((row) => (
          <Notification key={row.id} row={row} role={role} onRead={() => onRead(row.id)} />
        ))}
      </ul>
      <CursorPagination
        older={page.before && paths.activity(role, { tab, before: page.before })}
        newest={older ? paths.activity(role, { tab }) : null}
      />
    </>
  );
}

function Notification({ row, role, onRead }: { row: PropertyNotification; role: Role; onRead: () => void }) {
  const { emoji, label } = describeChange(row);
  return (
    <li className={classNames('note', !row.isRead && 'note-new')}>
      <span className="note-kind" aria-hidden="true">
        <Icon of={changeDrawing(row)} size={20} />
        <span className="note-emoji">{emoji}</span>
      </span>
      <div className="note-main">
        <p className="note-text">
          {!row.isRead && <span className="vh">Unread: </span>}
          {row.canOpen ? (
            <Link to={notificationHref(row, role)} onClick={onRead} onAuxClick={onRead}>
              {row.message}
            </Link>
          ) : (
            row.message
          )}
        </p>
        <Values row={row} />
        <p className="note-by">
          {label} · <TimeAgo of={row.at} />
        </p>
      </div>
      {!row.isRead && <MarkRead row={row} onRead={onRead} />}
    </li>
  );
}

function Values({ row }: { row: PropertyNotification }) {
  const { previousValue: previous, newValue: now, priceLabel } = row;
  if (!previous && !now) return null;
  return (
    <p className="note-values">
      {priceLabel && `${priceLabel}: `}
      <span className="vh">Previous value: </span>
      <span>{previous ?? 'None'}</span>
      <span aria-hidden="true"> → </span>
      <span className="vh">, new value: </span>
      <b>{now ?? 'None'}</b>
    </p>
  );
}

/** Covers the whole row if the property has no page. It removes itself when pressed, so focus moves elsewhere. */
function MarkRead({ row, onRead }: { row: PropertyNotification; onRead: () => void }) {
  function mark(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    const item = event.currentTarget.closest('li');
    const link = item?.querySelector('a') ?? item?.closest('[role="tabpanel"]');
    if (link instanceof HTMLElement) link.focus({ preventScroll: true });
    onRead();
  }
  return (
    <form className={row.canOpen ? 'note-mark' : undefined} method="post" action={paths.buyerNotifications()}>
      <IntentField is="read" />
      <Button
        type="submit"
        name="id"
        value={row.id}
        variant="ghost"
        size="sm"
        className={row.canOpen ? undefined : 'note-whole'}
        aria-label={`Mark as read: ${row.message}`}
        onClick={mark}
      >
        Mark as read
      </Button>
    </form>
  );
}

/** The emoji and label of a change. */
function describeChange({ type, direction }: PropertyNotification): { emoji: string; label: string } {
  if (type === 'status_change') return { emoji: '🏷️', label: 'Status change' };
  if (type === 'tour') return { emoji: '🗓️', label: 'Tour' };
  return direction === 'up'
    ? { emoji: '📈', label: 'Price increase' }
    : { emoji: '📉', label: direction === 'down' ? 'Price reduction' : 'Price change' };
}
