import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { statusLabel } from '#features/listings/display.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import type {
  DocumentsProperty,
  DocumentWithVersions,
  PropertyDocuments,
  RegistryToken,
} from '../registry-model.ts';
import { documentMessages } from '../rules.ts';
import { StatusBadge } from './registry-cells.tsx';
import { TokensTable } from './tokens-table.tsx';

interface Props {
  property: PropertyDocuments;
  /** the type that the documents are narrowed to */
  type: string | null;
  /** the chosen document */
  selected: DocumentWithVersions | null;
  /** null when they could not be read */
  tokens: readonly RegistryToken[] | null;
  /** the URL of the tab with these parameters changed; undefined removes one */
  href: (changes: {
    property?: string | undefined;
    document?: string;
    type?: string;
    page?: number;
  }) => string;
  /** the form that makes a token of the chosen document */
  create: ReactNode;
}

/** The tokens of a chosen property: its documents to choose from, the form beside them, and the tokens that there are. */
export function PropertyNfts({
  property: { property, ...list },
  type,
  selected,
  tokens,
  href,
  create,
}: Props) {
  return (
    <>
      <ChosenProperty property={property} changeHref={href({ property: undefined })} />
      <div className={create ? 'nft-grid' : undefined}>
        <Panel
          title="Documents"
          actions={
            selected && (
              <ButtonLink variant="outline" size="sm" to={href({})} preventScrollReset>
                Clear Selection
              </ButtonLink>
            )
          }
        >
          {list.types.length > 1 && (
            <nav className="registry-types" aria-label="Document type">
              {[undefined, ...list.types].map((one) => (
                <Link
                  key={one ?? ''}
                  to={href({ ...(one && { type: one }) })}
                  aria-current={(one ?? null) === type ? 'true' : undefined}
                  preventScrollReset
                >
                  {one ?? 'All types'}
                </Link>
              ))}
            </nav>
          )}
          {list.documents.length === 0 ? (
            <p className="registry-empty">{documentMessages.noDocuments}</p>
          ) : (
            <ul className="document-choices" aria-label="Documents">
              {list.documents.map((document) => (
                <Choice
                  key={document.id}
                  document={document}
                  chosen={document.id === selected?.id}
                  href={href({
                    document: document.id,
                    ...(type && { type }),
                    ...(list.page > 1 && { page: list.page }),
                  })}
                />
              ))}
            </ul>
          )}
          <Pagination
            page={list.page}
            pages={list.pages}
            href={(page) => href({ ...(type && { type }), page })}
            keepsScroll
          />
        </Panel>
        {create}
      </div>
      <Panel title="Property NFTs" className="mt-6!">
        <TokensTable
          label="Property NFTs"
          of="property"
          rows={tokens}
          emptyText="None was made for this property yet."
        />
      </Panel>
    </>
  );
}

function ChosenProperty({ property, changeHref }: { property: DocumentsProperty; changeHref: string }) {
  const { id, address, town, seller, type, picture, status, sold } = property;
  return (
    <section className="panel chosen-property" aria-label="Property">
      <ListingPictureView
        listingId={id}
        type={type}
        picture={picture && { ...picture, alt: '' }}
        sizes="108px"
      />
      <div>
        <h2>{address}</h2>
        <p>
          {town} · {seller}
        </p>
        <p>
          {sold ? (
            <>
              Sold <LocalTime of={sold.at} as="date" /> · {dollarsAndCents(sold.priceCents)}
            </>
          ) : (
            statusLabel[status]
          )}
        </p>
      </div>
      <div className="chosen-acts">
        <ButtonLink variant="outline" to={changeHref} preventScrollReset>
          Change property
        </ButtonLink>
        <ButtonLink variant="ghost" to={adminPaths.propertyDocuments(id)}>
          View Property
        </ButtonLink>
      </div>
    </section>
  );
}

interface ChoiceProps {
  document: DocumentWithVersions;
  chosen: boolean;
  href: string;
}

/** A link looks like a radio button: the choice is in the URL. One whose file was deleted, or that was revoked, cannot be chosen. */
function Choice({ document: { name, type, createdAt, status, reason, erased }, chosen, href }: ChoiceProps) {
  const open = !erased && status !== 'revoked';
  const facts = (
    <>
      <span className={open ? 'document-mark' : undefined} aria-hidden="true" />
      <Icon of={FileText} />
      <span className="registry-two">
        <b>{name}</b>
        <small>
          {type} · <LocalTime of={createdAt} as="date" />
        </small>
      </span>
      {erased ? <Badge tone="mute">File deleted</Badge> : <StatusBadge status={status} reason={reason} />}
    </>
  );
  if (!open) return <li className="document-choice">{facts}</li>;
  return (
    <li>
      <Link
        className="document-choice"
        to={href}
        aria-current={chosen ? 'true' : undefined}
        preventScrollReset
      >
        {facts}
      </Link>
    </li>
  );
}
