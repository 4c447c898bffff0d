import './documents.css';
import { transactionLink } from '#features/chain/explorer.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { Tooltip } from '#ui/tooltip.tsx';
import { registryStatuses, shortHash } from '../display.ts';
import type { PropertyPlace, RegistryStatus } from '../registry-model.ts';
import { documentMessages, isOfNoProperty } from '../rules.ts';

/** How far a registration is, and why it waits or failed. */
export function StatusBadge({ status, reason }: { status: RegistryStatus; reason: string | null }) {
  const { label, tone } = registryStatuses[status];
  return (
    <span className="registry-status">
      <Badge tone={tone}>{label}</Badge>
      {reason && status !== 'confirmed' && <small>{reason}</small>}
    </span>
  );
}

/** A link out of the product. */
function Outside({ href, of, children }: { href: string; of: string; children: string }) {
  return (
    <a className="link" href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="vh"> of {of}, opens a new tab</span>
    </a>
  );
}

interface TransactionProps {
  network: string | null;
  hash: string | null;
  /** what it registers */
  of: string;
}

/** Leads to the chain's explorer; a chain without one has its transactions named. */
export function TransactionLink({ network, hash, of }: TransactionProps) {
  const href = transactionLink(network, hash);
  if (href)
    return (
      <Outside href={href} of={of}>
        View on Base
      </Outside>
    );
  return hash ? (
    <span className="registry-code" title={network ? `${hash} on ${network}` : hash}>
      {shortHash(hash)}
    </span>
  ) : (
    <span className="registry-none">Not on the chain yet</span>
  );
}

/** Where published files are, by content address. */
export type ContentLinks = Readonly<Record<string, string>>;

/** Leads to a public file once it is published; of a private one only the hash is known outside. */
export function FileLink({ cid, links, of }: { cid: string | null; links: ContentLinks; of: string }) {
  if (!cid) return <span className="registry-none">Private – hash only</span>;
  const href = links[cid];
  if (!href) return <span className="registry-none">Not published yet</span>;
  return (
    <Outside href={href} of={of}>
      View file
    </Outside>
  );
}

interface PlaceCellProps {
  property: PropertyPlace | null;
  /** what it is, where it may be of a seller rather than of a property */
  type?: string;
}

/** Where something is, or that this is not known. */
export function PlaceCell({ property, type }: PlaceCellProps) {
  if (!property && type !== undefined && isOfNoProperty(type))
    return (
      <>
        <span aria-hidden="true">—</span>
        <span className="vh">Of no property</span>
      </>
    );
  if (!property) return <span className="registry-none">{documentMessages.unknownProperty}</span>;
  return (
    <span className="registry-two registry-place">
      {property.address}
      <small>{property.town}</small>
    </span>
  );
}

/** Leads to the documents of the property; disabled where there is none. */
export function ViewProperty({ property, of }: { property: PropertyPlace | null; of: string }) {
  if (!property) {
    const why = 'This document belongs to no property.';
    return (
      <Tooltip text={why}>
        <button
          type="button"
          className="btn btn-ghost btn-sm"
          aria-disabled="true"
          aria-label={`View Property: ${why}`}
        >
          View Property
        </button>
      </Tooltip>
    );
  }
  return (
    <ButtonLink variant="ghost" size="sm" to={adminPaths.propertyDocuments(property.id)}>
      View Property<span className="vh"> of {of}</span>
    </ButtonLink>
  );
}
