import { Form, useNavigate, useNavigation } from 'react-router';
import { paths, type TableQuery } from '#app/paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import type { OwnListing, OwnListings } from '../own-listings.ts';
import { type ListingDeed, mayDelete, mayRelist, mayWithdraw } from '../rules.ts';

const labels: Record<ListingDeed, string> = {
  withdraw: 'Withdraw',
  relist: 'Relist',
  delete: 'Delete',
  discard: 'Delete draft',
};

const questions: Record<ListingDeed, { title: string; text: (name: string) => string }> = {
  withdraw: {
    title: 'Withdraw property',
    text: (name) => `${name} is taken off the market. Buyers who watch it are told. You can relist it later.`,
  },
  relist: {
    title: 'Relist property',
    text: (name) =>
      `${name} comes back: at once if it was approved before, else it waits for approval again.`,
  },
  delete: {
    title: 'Delete property',
    text: (name) => `${name} was never on the market. It is deleted with its photographs.`,
  },
  discard: {
    title: 'Delete draft',
    text: (name) => `The draft '${name}' is deleted with its photographs.`,
  },
};

interface DeedsProps {
  here: TableQuery;
  /** false for a suspended seller, who only reads (B-098) */
  mayAct: boolean;
}

/** Edit, and what else a listing's status allows; each deed asks first, at an address of its own (B-110). */
export function ListingDeeds({ listing, here, mayAct }: DeedsProps & { listing: OwnListing }) {
  const { id, address, status } = listing;
  const listedAt = listing.listedAt === null ? null : new Date(listing.listedAt);
  const deeds: ListingDeed[] = [
    ...(mayWithdraw(status) ? (['withdraw'] as const) : []),
    ...(mayRelist(status) ? (['relist'] as const) : []),
    ...(mayDelete({ status, listedAt }) ? (['delete'] as const) : []),
  ];
  return (
    <div className="rowacts">
      {mayAct && deeds.map((deed) => <DeedLink key={deed} deed={deed} id={id} name={address} here={here} />)}
      <ButtonLink variant="ghost" size="sm" to={paths.agentEditProperty(id)}>
        Edit<span className="vh"> {address}</span>
      </ButtonLink>
    </div>
  );
}

interface DeedLinkProps {
  deed: ListingDeed;
  id: string;
  name: string;
  here: TableQuery;
}

function DeedLink({ deed, id, name, here }: DeedLinkProps) {
  return (
    <ButtonLink
      variant="ghost"
      size="sm"
      to={paths.agentProperties({ ...here, do: deed, id })}
      preventScrollReset
    >
      {labels[deed]}
      <span className="vh"> {name}</span>
    </ButtonLink>
  );
}

/** The listing that was begun and not submitted, over the table. */
export function DraftRow({ draft, here, mayAct }: DeedsProps & { draft: NonNullable<OwnListings['draft']> }) {
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
        {mayAct && <DeedLink deed="discard" id={draft.id} name={draft.title} here={here} />}
        <ButtonLink variant="ghost" size="sm" to={paths.agentAddProperty()}>
          Continue<span className="vh"> {draft.title}</span>
        </ButtonLink>
      </div>
    </div>
  );
}

interface DialogProps {
  deed: ListingDeed | null;
  /** undefined: it is not on this page of the table */
  subject: { id: string; name: string } | undefined;
  here: TableQuery;
}

/** Asks before a deed; open by the address alone, so that it needs no scripts. */
export function DeedDialog({ deed, subject, here }: DialogProps) {
  const navigate = useNavigate();
  const { formData } = useNavigation();
  if (!deed || !subject) return null;
  const back = paths.agentProperties(here);
  const { title, text } = questions[deed];
  return (
    <ConfirmDialog
      key={`${deed} ${subject.id}`}
      open
      onClose={() => void navigate(back, { replace: true, preventScrollReset: true })}
      title={title}
      text={text(subject.name)}
      confirmLabel={labels[deed]}
      danger={deed !== 'relist'}
      busy={formData?.get('do') === deed}
      form="listing-deed"
    >
      <Form id="listing-deed" method="post" action={back} preventScrollReset>
        <input type="hidden" name="do" value={deed} />
        <input type="hidden" name="id" value={subject.id} />
      </Form>
    </ConfirmDialog>
  );
}
