import { Link } from 'react-router';
import { OwnershipBadge } from '#features/listings/components/ownership-badge.tsx';
import { Badge } from '#ui/badge.tsx';
import { classNames } from '#ui/class-names.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { Pagination } from '#ui/pagination.tsx';
import type { ProofList as Proofs, ProofTab } from '../model.ts';

interface Props {
  tab: ProofTab;
  list: Proofs;
  /** the proof that is shown beside the list */
  current: string | null;
  hrefOf: (place: { proof?: string; page?: number }) => string;
}

/** Proofs of ownership to choose from. */
export function ProofList({ tab, list: { rows, total, page, pages }, current, hrefOf }: Props) {
  return (
    <div className="desk-list">
      <div className="desk-head">
        <span>{tab === 'waiting' ? 'Oldest first' : 'Latest first'}</span>
      </div>
      <ul aria-label={tab === 'waiting' ? 'Proofs waiting for a decision' : 'Decided proofs'}>
        {rows.map(({ id, address, sellerName, status, at, held }) => (
          <li key={id} className={classNames('waiting proof-item', id === current && 'is-current')}>
            <Link
              to={hrefOf({ proof: id })}
              aria-current={id === current ? 'true' : undefined}
              preventScrollReset
            >
              <span>
                <b>{address}</b>
                <small>
                  {sellerName} · <LocalTime of={at} as="date" />
                </small>
                {(tab === 'decided' || held) && (
                  <span className="badges">
                    {tab === 'decided' && <OwnershipBadge of={status} />}
                    {held && <Badge tone="warn">Waits for the virus scanner</Badge>}
                  </span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Pagination
        page={page}
        pages={pages}
        href={(to) => hrefOf({ page: to })}
        keepsScroll
        rows={total.count}
      />
    </div>
  );
}
