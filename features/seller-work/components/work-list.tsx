import { formatCount } from '#platform/format-count.ts';
import './work-list.css';
import { ChevronRight, FileText, MessagesSquare, PencilLine, Undo2, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { statusLabel } from '#features/listings/display.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Icon, type IconDrawing } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Panel } from '#ui/panel.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import type { SellerWork, SentBackListing, WaitingSale } from '../model.ts';
import { isNothing } from '../rules.ts';

/** What waits for the seller, each entry a link to where it is done; nothing when nothing waits. */
export function WorkList({ work }: { work: SellerWork }) {
  if (isNothing(work)) return null;
  const { replies, sales, sentBack, payouts } = work;
  return (
    <Panel title="Waiting for you" className="mt-0! mb-8">
      <ul className="work-list">
        {replies && (
          <Entry
            to={paths.sellerInquiries({ filter: 'needs_response' })}
            icon={MessagesSquare}
            title={
              replies.count === 1
                ? '1 conversation needs your reply'
                : `${formatCount(replies.count)} conversations need your reply`
            }
          >
            {replies.count === 1 ? 'The buyer wrote ' : 'The first of these buyers wrote '}
            <TimeAgo of={replies.since} />.
          </Entry>
        )}
        {sales.entries.map((sale) => (
          <SaleEntry key={sale.saleId} sale={sale} />
        ))}
        <More of={sales} to={sellerPaths.transactions()} page="My Transactions" />
        {sentBack.entries.map((listing) => (
          <ListingEntry key={listing.id} listing={listing} />
        ))}
        <More of={sentBack} to={sellerPaths.properties({ sort: 'status' })} page="My Properties" />
        {payouts && (
          <Entry
            to={sellerPaths.settings()}
            icon={Wallet}
            title={payouts === 'not_set' ? 'Payouts are not set' : 'Pending Payout Setup'}
          >
            {payouts === 'not_set'
              ? 'Choose how you want to be paid.'
              : 'Payouts start once the method you chose is verified.'}
          </Entry>
        )}
      </ul>
    </Panel>
  );
}

interface EntryProps {
  to: string;
  icon: IconDrawing;
  title: string;
  late?: boolean;
  children: ReactNode;
}

function Entry({ to, icon, title, late, children }: EntryProps) {
  return (
    <li>
      <Link to={to}>
        <Icon of={icon} />
        <span>
          <b>{title}</b> <small className={late ? 'late' : undefined}>{children}</small>
        </span>
        <Icon of={ChevronRight} size={16} />
      </Link>
    </li>
  );
}

function SaleEntry({ sale: { saleId, address, step, dueAt, overdue } }: { sale: WaitingSale }) {
  const to = sellerPaths.sale(saleId);
  if (step === 'cancellation')
    return (
      <Entry to={to} icon={Undo2} title={`The buyer wants to cancel: ${address}`}>
        Agree to the cancellation or decline it.
      </Entry>
    );
  return (
    <Entry to={to} icon={FileText} title={`Deliver the closing documents: ${address}`} late={overdue}>
      {dueAt === null ? (
        'Then mark them as delivered.'
      ) : (
        <>
          {overdue ? 'Overdue since ' : 'Due by '}
          <LocalTime of={dueAt} />.
        </>
      )}
    </Entry>
  );
}

const ListingEntry = ({ listing: { id, address, status, note } }: { listing: SentBackListing }) => (
  <Entry to={sellerPaths.editProperty(id)} icon={PencilLine} title={`${statusLabel[status]}: ${address}`}>
    {note || 'Change the listing, then submit it again.'}
  </Entry>
);

/** The rest of a kind, on the page that has all of them. */
function More({
  of: { entries, total },
  to,
  page,
}: {
  of: { entries: readonly unknown[]; total: number };
  to: string;
  page: string;
}) {
  if (total <= entries.length) return null;
  return (
    <li>
      <p>
        <span>
          {formatCount(total - entries.length)} more in{' '}
          <Link className="link" to={to}>
            {page}
          </Link>
          .
        </span>
      </p>
    </li>
  );
}
