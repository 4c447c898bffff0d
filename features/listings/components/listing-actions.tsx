import { useNavigate } from 'react-router';
import { paths, type TableQuery } from '#routing/paths.ts';
import { previewPaths } from '#routing/preview-paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { OwnListingRow, OwnListingsPage } from '../own-listings.ts';
import { type ListingAction, mayDelete, mayRelist, mayWithdraw } from '../rules.ts';

const labels: Record<ListingAction, string> = {
  withdraw: 'Withdraw',
  relist: 'Relist',
  delete: 'Delete',
  discard: 'Delete draft',
};

const confirmations: Record<ListingAction, { title: string; text: (name: string) => string }> = {
  withdraw: {
    title: 'Withdraw property',
    text: (name) =>
      `${name} is taken off the market. Buyers who watch it are notified. You can relist it later.`,
  },
  relist: {
    title: 'Relist property',
    text: (name) =>
      `${name} goes back on the market right away if it was approved and nothing but its price has changed. Otherwise it waits for approval again.`,
  },
  delete: {
    title: 'Delete property',
    text: (name) => `${name} was never on the market. It is deleted with its photos.`,
  },
  discard: {
    title: 'Delete draft',
    text: (name) => `The draft '${name}' is deleted with its photos.`,
  },
};

interface ActionsProps {
  tableQuery: TableQuery;
  /** false for a suspended seller, who has read-only access */
  mayAct: boolean;
}

/** Edit and the other actions that the listing's status allows; each is confirmed in a dialog with its own URL. */
export function ListingActions({ listing, tableQuery, mayAct }: ActionsProps & { listing: OwnListingRow }) {
  const { id, address, status, isPublic } = listing;
  const listedAt = listing.listedAt === null ? null : new Date(listing.listedAt);
  const actions: ListingAction[] = [
    ...(mayWithdraw(status) ? (['withdraw'] as const) : []),
    ...(mayRelist(status) ? (['relist'] as const) : []),
    ...(mayDelete({ status, listedAt }) ? (['delete'] as const) : []),
  ];
  return (
    <div className="rowacts">
      {mayAct &&
        actions.map((action) => (
          <ActionLink key={action} action={action} id={id} name={address} tableQuery={tableQuery} />
        ))}
      {isPublic ? (
        <ButtonLink variant="ghost" size="sm" to={paths.property(id)}>
          View<span className="vh"> listing {address}</span>
        </ButtonLink>
      ) : (
        <ButtonLink variant="ghost" size="sm" to={previewPaths.listing(id)}>
          Preview<span className="vh"> {address}</span>
        </ButtonLink>
      )}
      <ButtonLink variant="ghost" size="sm" to={sellerPaths.editProperty(id)}>
        Edit<span className="vh"> {address}</span>
      </ButtonLink>
    </div>
  );
}

interface ActionLinkProps {
  action: ListingAction;
  id: string;
  name: string;
  tableQuery: TableQuery;
}

function ActionLink({ action, id, name, tableQuery }: ActionLinkProps) {
  return (
    <ButtonLink
      variant="ghost"
      size="sm"
      to={sellerPaths.properties({ ...tableQuery, do: action, id })}
      preventScrollReset
    >
      {labels[action]}
      <span className="vh"> {name}</span>
    </ButtonLink>
  );
}

/** The seller's unsubmitted draft, above the table. */
export function DraftRow({
  draft,
  tableQuery,
  mayAct,
}: ActionsProps & { draft: NonNullable<OwnListingsPage['draft']> }) {
  return (
    <div className="own-draft">
      <Badge tone="mute">Draft</Badge>
      <p>
        <b>{draft.title}</b>{' '}
        <small>
          saved <TimeAgo of={draft.updatedAt} />
        </small>
      </p>
      <div className="rowacts">
        {mayAct && <ActionLink action="discard" id={draft.id} name={draft.title} tableQuery={tableQuery} />}
        <ButtonLink variant="ghost" size="sm" to={previewPaths.draft()}>
          Preview<span className="vh"> {draft.title}</span>
        </ButtonLink>
        <ButtonLink variant="ghost" size="sm" to={sellerPaths.addProperty()}>
          Continue<span className="vh"> {draft.title}</span>
        </ButtonLink>
      </div>
    </div>
  );
}

interface DialogProps {
  action: ListingAction | null;
  /** undefined when it is not on this page of the table */
  subject: { id: string; name: string } | undefined;
  tableQuery: TableQuery;
}

/** Confirms an action; opened by the URL alone, so that it works without JavaScript. */
export function ListingActionDialog({ action, subject, tableQuery }: DialogProps) {
  const navigate = useNavigate();
  const pending = usePendingForm(action ?? '') !== null;
  if (!action || !subject) return null;
  const back = sellerPaths.properties(tableQuery);
  const { title, text } = confirmations[action];
  return (
    <ActionDialog
      key={`${action} ${subject.id}`}
      open
      onClose={() => void navigate(back, { replace: true, preventScrollReset: true })}
      title={title}
      text={text(subject.name)}
      confirmLabel={labels[action]}
      danger={action !== 'relist'}
      intent={action}
      action={back}
      fields={{ id: subject.id }}
      pending={pending}
      // A refusal redirects to the table, which shows it in a toast.
      error={null}
    />
  );
}
