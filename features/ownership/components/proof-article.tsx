import '#features/listing-review/components/review-article.css';
import './ownership.css';
import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Form } from 'react-router';
import { OwnershipBadge } from '#features/listings/components/ownership-badge.tsx';
import { statusLabel } from '#features/listings/display.ts';
import { DAY } from '#platform/durations.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';
import { INTENT } from '#ui/action-data.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { fileSize } from '#ui/file-size.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextArea } from '#ui/text-area.tsx';
import type { ProofDecision, ProofSubject } from '../model.ts';
import { ownershipMessages, PROOF_RETENTION_MS, REASON_MAX_LENGTH } from '../rules.ts';

interface Props {
  subject: ProofSubject;
  /** where the form is posted */
  action: string;
  pending: ProofDecision | null;
  error: string | undefined;
  /** what was typed before a refusal */
  typed: string | undefined;
}

/** A proof beside the listing that it is about, and the decision below them. */
export function ProofArticle({ subject, ...form }: Props) {
  const { proof, listing } = subject;
  const id = useId();
  return (
    <article className="review" aria-labelledby={id}>
      <header className="review-head">
        <div className="min-w-0">
          <h2 id={id}>{listing.address}</h2>
          <p>
            Uploaded <LocalTime of={proof.uploadedAt} />
          </p>
          <div className="badges">
            <OwnershipBadge of={proof.status} />
            <Badge tone="mute">{statusLabel[listing.status]}</Badge>
          </div>
        </div>
        <div className="proof-links">
          <ButtonLink variant="outline" size="sm" to={adminPaths.editProperty(listing.id)}>
            Edit property
          </ButtonLink>
          {listing.hasPublicPage && (
            <ButtonLink variant="outline" size="sm" to={paths.property(listing.id)}>
              View public page
            </ButtonLink>
          )}
        </div>
      </header>
      <Part title="Listing and document">
        <Comparison subject={subject} />
      </Part>
      <Part title="Document">
        <DocumentLine subject={subject} />
        {proof.note && (
          <p className="record-words mt-3">
            <b>Note of the seller:</b> {proof.note}
          </p>
        )}
      </Part>
      {subject.outcome === null ? (
        <DecisionForm subject={subject} {...form} />
      ) : (
        <div className="decide">
          <Notice title="Nothing to decide here">
            <p>{subject.outcome}</p>
            {proof.reason && <p>Reason: {proof.reason}</p>}
          </Notice>
        </div>
      )}
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="review-part" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

/** What the listing says beside what the seller says that the document says. */
function Comparison({ subject: { proof, listing, seller } }: { subject: ProofSubject }) {
  const erased = <i>Erased</i>;
  const rows: [name: string, listing: ReactNode, proof: ReactNode][] = [
    [
      'Address',
      listing.address,
      proof.address === listing.address ? (
        proof.address
      ) : (
        <>
          {proof.address} <Badge tone="warn">Changed since the upload</Badge>
        </>
      ),
    ],
    [
      'Name',
      <>
        {seller.name}
        <small>{seller.email}</small>
      </>,
      proof.ownerName ?? erased,
    ],
    ['Parcel number', 'Not part of a listing', proof.parcelNumber ?? erased],
  ];
  return (
    <table className="diff">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Listing and seller</th>
          <th scope="col">Proof</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ofListing, ofProof]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-label="Listing and seller">{ofListing}</td>
            <td data-label="Proof">{ofProof}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DocumentLine({ subject: { proof } }: { subject: ProofSubject }) {
  const { document } = proof;
  if (proof.erased)
    return (
      <p className="record-words">{`The document was erased after ${PROOF_RETENTION_MS / DAY} days.`}</p>
    );
  if (!document) return <p className="record-words">The document was deleted: it contained malware.</p>;
  if (document.scan === 'held')
    return (
      <Notice tone="warn" title={document.name}>
        <p>It waits for the virus scanner and can be neither opened nor verified yet.</p>
      </Notice>
    );
  return (
    <p className="proof-document">
      <a className="link" href={adminPaths.documentFile(document.id)}>
        {document.name}
      </a>
      <small>{fileSize(document.bytes)}</small>
    </p>
  );
}

function DecisionForm({ subject: { proof, version }, action, pending, error, typed }: Props) {
  const button = { type: 'submit' as const, name: INTENT };
  const held = proof.document?.scan === 'held';
  return (
    <Form className="decide" method="post" action={action} preventScrollReset key={proof.id} noValidate>
      <input type="hidden" name="proof" value={proof.id} />
      <input type="hidden" name="version" value={version} />
      <TextArea
        label="Reason for a refusal"
        name="reason"
        rows={3}
        maxLength={REASON_MAX_LENGTH}
        counted
        hint="The seller reads it."
        defaultValue={typed}
        error={error}
      />
      <div className="decide-acts">
        <Button
          {...button}
          value="verify"
          icon={Check}
          className="btn-approve"
          busy={pending === 'verify'}
          disabled={held}
        >
          Verify ownership
        </Button>
        <Button
          {...button}
          value="refuse"
          variant="outline"
          className="btn-reject"
          busy={pending === 'refuse'}
        >
          Refuse
        </Button>
        <small>
          {held ? ownershipMessages.held : 'Buyers see ‘Ownership verified’ on the property’s page'}
        </small>
      </div>
    </Form>
  );
}
