import { OwnershipBadge } from '#features/listings/components/ownership-badge.tsx';
import { DrawerFacts } from '#ui/drawer.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import type { OwnOwnership, Proof } from '../model.ts';

/** What became of a seller's proof of ownership, and what comes next. */
export function ProofStatus({ ownership: { proof, required, listing } }: { ownership: OwnOwnership }) {
  const waitsForProof = required && proof?.status !== 'verified' && listing.status !== 'Active';
  return (
    <Panel title="Ownership" actions={<OwnershipBadge of={proof?.status ?? null} />} inset>
      <div className="grid gap-5">
        <Standing proof={proof} />
        {waitsForProof && (
          <Notice tone="warn" title="This listing needs a verified ownership before it goes live." />
        )}
        {proof && !proof.erased && (
          <DrawerFacts
            facts={[
              ['Document', proof.document?.name],
              ['Owner', proof.ownerName],
              ['Parcel number', proof.parcelNumber],
              ['Note', proof.note || null],
              ['Uploaded', <LocalTime key="uploaded" of={proof.uploadedAt} />],
            ]}
          />
        )}
      </div>
    </Panel>
  );
}

function Standing({ proof }: { proof: Proof | null }) {
  if (!proof)
    return (
      <p>
        Upload a document that shows who owns this property, such as the recorded deed or a title report. An
        administrator compares it with your listing. Buyers then see ‘Ownership verified’.
      </p>
    );
  switch (proof.status) {
    case 'waiting':
      return (
        <p>
          {proof.document?.scan === 'held'
            ? 'The document waits for the virus scanner. After that, an administrator compares it with your listing.'
            : 'An administrator compares the document with your listing.'}{' '}
          You are notified of the decision.
        </p>
      );
    case 'verified':
      return (
        <p>
          Verified on {proof.decidedAt && <LocalTime of={proof.decidedAt} as="date" />}. The page of the
          property says ‘Ownership verified’ until its address or its seller changes.
        </p>
      );
    case 'refused':
      return (
        <Notice tone="bad" title="The proof was refused">
          <p className="whitespace-pre-line">{proof.reason}</p>
          <p>You can upload another document below.</p>
        </Notice>
      );
    case 'withdrawn':
      return (
        <Notice tone="warn" title="The ownership is no longer verified">
          <Withdrawal proof={proof} />
        </Notice>
      );
  }
}

function Withdrawal({ proof: { withdrawnFor, endedAt, address } }: { proof: Proof }) {
  if (withdrawnFor === 'malware')
    return <p>Malware was found in the document, so it was deleted. Upload a clean copy.</p>;
  if (withdrawnFor === 'address')
    return (
      <p>
        The address of the listing changed
        {endedAt && (
          <>
            {' '}
            on <LocalTime of={endedAt} as="date" />
          </>
        )}
        . Verified was {address}. Upload a document that names the new address.
      </p>
    );
  return <p>The listing changed its seller. Upload a document that names the owner.</p>;
}
