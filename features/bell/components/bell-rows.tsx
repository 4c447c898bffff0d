import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type InboxRow, PROPERTY_GONE } from '#features/inquiries/model.ts';
import { changeDrawing } from '#features/notifications/components/change-drawing.ts';
import { notificationHref } from '#features/notifications/components/notification-href.ts';
import type { PropertyNotification } from '#features/notifications/model.ts';
import type { SavedSearchMatch } from '#features/saved-searches/model.ts';
import type { Role } from '#platform/context.ts';
import { wholeDollars } from '#platform/money.ts';
import { paths } from '#routing/paths.ts';
import { classNames } from '#ui/class-names.ts';
import { Bookmark, MessageSquare } from '#ui/detail-glyphs.ts';
import { Icon, type IconDrawing } from '#ui/icon.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { matchesText, messagesText, pendingText, updatesText } from '../display.ts';
import type { BellContent, UnreadCounts } from '../model.ts';

interface Props {
  content: BellContent;
  counts: UnreadCounts;
  role: Role;
  onRead: (id: string) => void;
}

/** The rows of the bell's panel by kind; each leads to what it tells of. */
export function BellRows({ content, counts, role, onRead }: Props) {
  const { inquiries, messages, updates, matches } = content;
  return (
    <>
      <Kind title={pendingText(counts.inquiries)} href={paths.sellerInquiries({ filter: 'needs_response' })}>
        {inquiries.map((row) => (
          <Conversation key={row.id} row={row} href={paths.sellerInquiries({ inquiry: row.id })} />
        ))}
      </Kind>
      <Kind title={messagesText(counts.messages)} href={paths.activity(role, { tab: 'inquiries' })}>
        {messages.map((row) => (
          <Conversation
            key={row.id}
            row={row}
            href={paths.activity(role, { tab: 'inquiries', inquiry: row.id })}
          />
        ))}
      </Kind>
      <Kind
        title={counts.updates > 0 ? updatesText(counts.updates) : 'Property updates'}
        href={paths.activity(role, { tab: 'notifications' })}
      >
        {updates.map((row) => (
          <Update key={row.id} row={row} role={role} onRead={onRead} />
        ))}
      </Kind>
      <Kind title={matchesText(counts.matches)} href={paths.savedSearchList(role)}>
        {matches.map((match) => (
          <Match key={match.propertyId} match={match} />
        ))}
      </Kind>
    </>
  );
}

function Kind({ title, href, children }: { title: string; href: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section className="bell-kind" aria-label={title}>
      <p className="bell-kind-head">
        <span>{title}</span>
        <Link className="link" to={href} aria-label={`See all: ${title}`}>
          See all
        </Link>
      </p>
      <ul>{children}</ul>
    </section>
  );
}

interface RowProps {
  href: string;
  icon: IconDrawing;
  isNew: boolean;
  title: string;
  text: ReactNode;
  at: string;
  onOpen?: () => void;
}

function Row({ href, icon, isNew, title, text, at, onOpen }: RowProps) {
  return (
    <li>
      <Link
        className={classNames('bell-row', isNew && 'bell-new')}
        to={href}
        onClick={onOpen}
        onAuxClick={onOpen}
      >
        <Icon of={icon} />
        <span className="bell-words">
          {isNew && <span className="vh">Unread: </span>}
          <b>{title}</b>
          <span className="bell-text">{text}</span>
          <span className="bell-at">
            <TimeAgo of={at} />
          </span>
        </span>
      </Link>
    </li>
  );
}

const Conversation = ({ row, href }: { row: InboxRow; href: string }) => (
  <Row
    href={href}
    icon={MessageSquare}
    isNew
    title={`${row.other.name} · ${row.property?.address ?? PROPERTY_GONE}`}
    text={row.newest}
    at={row.at}
  />
);

const Update = ({
  row,
  role,
  onRead,
}: {
  row: PropertyNotification;
  role: Role;
  onRead: (id: string) => void;
}) => (
  <Row
    href={row.canOpen ? notificationHref(row, role) : paths.activity(role, { tab: 'notifications' })}
    icon={changeDrawing(row)}
    isNew={!row.isRead}
    title={row.message}
    text={<Values row={row} />}
    at={row.at}
    onOpen={() => row.isRead || onRead(row.id)}
  />
);

function Values({ row: { previousValue, newValue, priceLabel } }: { row: PropertyNotification }) {
  if (!previousValue && !newValue) return null;
  return (
    <>
      {priceLabel && `${priceLabel}: `}
      {previousValue ?? 'None'}
      <span aria-hidden="true"> → </span>
      <span className="vh"> to </span>
      {newValue ?? 'None'}
    </>
  );
}

const Match = ({ match }: { match: SavedSearchMatch }) => (
  <Row
    href={paths.property(match.propertyId)}
    icon={Bookmark}
    isNew={match.isNew}
    title={match.address}
    text={`${match.town} · ${wholeDollars(match.totalCents)}`}
    at={match.matchedAt}
  />
);
