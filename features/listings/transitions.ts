import type { PropertyStatus } from './model.ts';

/** Who moves a listing: its seller, an administrator, a sale of it, or the operator's import. */
export type ListingParty = 'seller' | 'admin' | 'sale' | 'import';

export type ListingEvent =
  | 'submit'
  | 'import'
  | 'undo_import'
  | 'import_sold'
  | 'import_withdraw'
  | 'approve'
  | 'request_changes'
  | 'reject'
  | 'resubmit'
  | 'withdraw'
  | 'relist'
  | 'delete'
  | 'add'
  | 'add_pending'
  | 'set_active'
  | 'set_pending'
  | 'set_escrow'
  | 'set_sold'
  | 'begin_escrow'
  | 'release_escrow'
  | 'sell';

/** What guards know about a listing besides its status. */
interface ListingFacts {
  /** it has been on the market */
  wasListed: boolean;
  /** it holds something that no administrator has approved, other than a new price */
  awaitsApproval: boolean;
  /** it was changed while or after it was approved, and no administrator has confirmed that */
  changedSinceApproval: boolean;
  /** a checkout or sale of it is in progress */
  beingBought: boolean;
  /** a sale of it holds the buyer's money */
  saleInEscrow: boolean;
  /** a sale of it has been closed */
  saleClosed: boolean;
  /** listings need a verified ownership before they go live, and it has none */
  ownershipMissing: boolean;
  /** its seller is archived: nobody could deliver what is bought */
  sellerGone: boolean;
}

export type ListingActionRefusal = 'status' | 'being_bought' | 'ownership' | 'seller_gone';

type Guard = (facts: ListingFacts) => ListingActionRefusal | null;

const guards = {
  notBeingBought: ({ beingBought }) => (beingBought ? 'being_bought' : null),
  saleInEscrow: ({ saleInEscrow }) => (saleInEscrow ? null : 'status'),
  noSaleInEscrow: ({ saleInEscrow }) => (saleInEscrow ? 'status' : null),
  saleClosed: ({ saleClosed }) => (saleClosed ? null : 'status'),
  neverListed: ({ wasListed }) => (wasListed ? 'status' : null),
  ownershipVerified: ({ ownershipMissing }) => (ownershipMissing ? 'ownership' : null),
  sellerThere: ({ sellerGone }) => (sellerGone ? 'seller_gone' : null),
  changed: ({ changedSinceApproval }) => (changedSinceApproval ? null : 'status'),
  approved: ({ wasListed, awaitsApproval }) => (wasListed && !awaitsApproval ? null : 'status'),
} satisfies Record<string, Guard>;

type ListingGuard = keyof typeof guards;

/** A side effect of a transition, in the same update. */
export type ListingEffect =
  /** the first approval starts the days on market */
  | 'start_days'
  /** days on market stop until it comes back */
  | 'stop_days'
  /** time off the market does not count */
  | 'resume_days'
  /** an administrator has seen it as it is */
  | 'approve_content'
  /** days on market stand still until it is Active again */
  | 'pause_days'
  /** its seller is told that it is for sale now */
  | 'notify_seller'
  /** its seller is told the new status and why */
  | 'explain_to_seller'
  /** its seller is told what to change, or why it was rejected */
  | 'notify_reason'
  /** it begins to wait for an administrator */
  | 'join_queue'
  /** it left the queue unapproved, so it cannot come back without an administrator */
  | 'require_approval'
  | 'mark_deleted';

interface ListingTransition {
  event: ListingEvent;
  by: ListingParty;
  /** null: the listing is new */
  from: readonly (PropertyStatus | null)[];
  guards: readonly ListingGuard[];
  /** null: the status stays */
  to: PropertyStatus | null;
  effects: readonly ListingEffect[];
}

/** An administrator sends a listing back: one that waits for approval, or what its seller has made of it on the market. */
function sentBack(event: ListingEvent, to: PropertyStatus): readonly ListingTransition[] {
  return [
    { event, by: 'admin', from: ['pending'], guards: [], to, effects: ['require_approval', 'notify_reason'] },
    {
      event,
      by: 'admin',
      from: ['Active'],
      guards: ['changed', 'notBeingBought'],
      to,
      effects: ['stop_days', 'require_approval', 'notify_reason'],
    },
  ];
}

/**
 * The life cycle of a listing. Whatever is not in this table is refused; of several rows for an event, the first one
 * whose guards agree applies.
 */
export const listingTransitions: readonly ListingTransition[] = [
  {
    event: 'submit',
    by: 'seller',
    from: [null],
    guards: ['sellerThere'],
    to: 'pending',
    effects: ['join_queue'],
  },
  {
    event: 'import',
    by: 'import',
    from: [null],
    guards: ['sellerThere', 'ownershipVerified'],
    to: 'Active',
    effects: ['start_days'],
  },
  {
    event: 'import',
    by: 'import',
    from: [null],
    guards: ['sellerThere'],
    to: 'pending',
    effects: ['join_queue'],
  },
  // A file says that a home was sold elsewhere, or that it left the market: it must not be offered.
  { event: 'import_sold', by: 'import', from: [null], guards: [], to: 'Sold', effects: [] },
  {
    event: 'import_sold',
    by: 'import',
    from: ['Active', 'pending', 'changes_requested', 'rejected', 'withdrawn'],
    guards: ['notBeingBought'],
    to: 'Sold',
    effects: ['stop_days'],
  },
  {
    event: 'import_withdraw',
    by: 'import',
    from: ['Active'],
    guards: ['notBeingBought'],
    to: 'withdrawn',
    effects: ['stop_days'],
  },
  {
    // The import that added it is undone as a whole, and no one has touched it since.
    event: 'undo_import',
    by: 'import',
    from: ['pending', 'Active', 'Sold'],
    guards: ['notBeingBought'],
    to: null,
    effects: ['mark_deleted'],
  },
  {
    event: 'approve',
    by: 'admin',
    from: ['pending', 'changes_requested'],
    guards: ['sellerThere', 'ownershipVerified'],
    to: 'Active',
    effects: ['resume_days', 'start_days', 'approve_content', 'notify_seller'],
  },
  {
    // Confirms what its seller has changed on the market.
    event: 'approve',
    by: 'admin',
    from: ['Active'],
    guards: ['changed'],
    to: null,
    effects: ['approve_content'],
  },
  ...sentBack('request_changes', 'changes_requested'),
  ...sentBack('reject', 'rejected'),
  {
    event: 'resubmit',
    by: 'seller',
    from: ['changes_requested', 'rejected'],
    guards: ['sellerThere'],
    to: 'pending',
    effects: ['join_queue'],
  },
  {
    event: 'withdraw',
    by: 'seller',
    from: ['Active'],
    guards: ['notBeingBought'],
    to: 'withdrawn',
    effects: ['stop_days'],
  },
  {
    event: 'withdraw',
    by: 'seller',
    from: ['pending', 'changes_requested', 'rejected'],
    guards: ['notBeingBought'],
    to: 'withdrawn',
    effects: ['stop_days', 'require_approval'],
  },
  {
    event: 'relist',
    by: 'seller',
    from: ['withdrawn'],
    guards: ['approved', 'sellerThere', 'ownershipVerified'],
    to: 'Active',
    effects: ['resume_days'],
  },
  {
    event: 'relist',
    by: 'seller',
    from: ['withdrawn'],
    guards: ['sellerThere'],
    to: 'pending',
    effects: ['join_queue'],
  },
  {
    event: 'delete',
    by: 'seller',
    from: ['pending', 'Active', 'changes_requested', 'rejected', 'withdrawn'],
    guards: ['neverListed', 'notBeingBought'],
    to: null,
    effects: ['mark_deleted'],
  },
  {
    event: 'add',
    by: 'admin',
    from: [null],
    guards: ['sellerThere', 'ownershipVerified'],
    to: 'Active',
    effects: ['start_days'],
  },
  {
    event: 'add_pending',
    by: 'admin',
    from: [null],
    guards: ['sellerThere'],
    to: 'pending',
    effects: ['join_queue'],
  },
  {
    // By hand, as for what happens outside of the marketplace; never beside a sale that decides the same.
    event: 'set_active',
    by: 'admin',
    from: ['pending', 'changes_requested', 'rejected', 'withdrawn', 'escrow', 'Sold'],
    guards: ['notBeingBought', 'sellerThere', 'ownershipVerified'],
    to: 'Active',
    effects: ['resume_days', 'start_days', 'approve_content', 'explain_to_seller'],
  },
  {
    event: 'set_pending',
    by: 'admin',
    from: ['Active', 'changes_requested', 'rejected', 'withdrawn', 'escrow', 'Sold'],
    guards: ['notBeingBought', 'sellerThere'],
    to: 'pending',
    effects: ['stop_days', 'join_queue', 'explain_to_seller'],
  },
  {
    event: 'set_escrow',
    by: 'admin',
    from: ['Active', 'pending', 'changes_requested', 'rejected', 'withdrawn', 'Sold'],
    guards: ['notBeingBought'],
    to: 'escrow',
    effects: ['pause_days', 'explain_to_seller'],
  },
  {
    event: 'set_sold',
    by: 'admin',
    from: ['Active', 'pending', 'changes_requested', 'rejected', 'withdrawn', 'escrow'],
    guards: ['notBeingBought'],
    to: 'Sold',
    effects: ['explain_to_seller'],
  },
  {
    event: 'begin_escrow',
    by: 'sale',
    from: ['Active'],
    guards: ['saleInEscrow'],
    to: 'escrow',
    effects: [],
  },
  {
    event: 'release_escrow',
    by: 'sale',
    from: ['escrow'],
    guards: ['noSaleInEscrow', 'sellerThere'],
    to: 'Active',
    effects: [],
  },
  {
    // Its seller has left the marketplace.
    event: 'release_escrow',
    by: 'sale',
    from: ['escrow'],
    guards: ['noSaleInEscrow'],
    to: 'withdrawn',
    effects: ['stop_days'],
  },
  { event: 'sell', by: 'sale', from: ['escrow'], guards: ['saleClosed'], to: 'Sold', effects: [] },
];

type ListingResolution<Status = PropertyStatus> =
  | { ok: true; transition: ListingTransition; status: Status }
  | { ok: false; reason: ListingActionRefusal };

/** Resolves an event to the transition of a listing, or to the reason why it is refused; `status` is null for a new one. Pure. */
export function resolveListingEvent<Status extends PropertyStatus | null>(
  status: Status,
  event: ListingEvent,
  facts: ListingFacts,
): ListingResolution<Status | PropertyStatus> {
  let refusal: ListingActionRefusal | null = null;
  for (const transition of listingTransitions) {
    if (transition.event !== event || !transition.from.includes(status)) continue;
    const reason = transition.guards.map((name) => guards[name](facts)).find((found) => found !== null);
    if (!reason) return { ok: true, transition, status: transition.to ?? status };
    refusal ??= reason;
  }
  return { ok: false, reason: refusal ?? 'status' };
}

/** Who may trigger an event. */
export function partyOf(event: ListingEvent): ListingParty {
  const row = listingTransitions.find((one) => one.event === event);
  if (!row) throw new Error(`The life cycle of a listing has no event ${event}`);
  return row.by;
}
