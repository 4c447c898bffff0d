import { Badge } from '#ui/badge.tsx';
import { invitationTones, type ManagedSeller, statusLabels, statusTones } from '../management.ts';

/** What state a seller is in: status, registration, payout setup, and what became of the invitation. */
export function SellerBadges({ seller }: { seller: ManagedSeller }) {
  const { status, registered, payoutReady, invitation, archivedAt } = seller;
  return (
    <span className="seller-badges">
      {archivedAt ? (
        <Badge tone="mute">Archived</Badge>
      ) : (
        <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
      )}
      <Badge tone={registered ? 'ok' : 'mute'}>{registered ? 'Registered' : 'Not Registered'}</Badge>
      {!archivedAt && !payoutReady && <Badge tone="warn">Pending Payout Setup</Badge>}
      {!archivedAt && invitation && (
        <Badge tone={invitationTones[invitation]}>{`Invitation: ${invitation}`}</Badge>
      )}
    </span>
  );
}
