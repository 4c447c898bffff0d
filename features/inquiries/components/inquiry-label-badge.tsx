import { Badge } from '#ui/badge.tsx';
import { Tooltip } from '#ui/tooltip.tsx';
import type { InquiryLabel } from '../model.ts';

const labels: Record<InquiryLabel, { name: string; tone: 'ok' | 'warn'; meaning: string }> = {
  pending: { name: 'Pending', tone: 'warn', meaning: 'The seller has not answered the newest message yet.' },
  resolved: {
    name: 'Resolved',
    tone: 'ok',
    meaning: 'The seller has answered. A new message from the buyer makes it pending again.',
  },
};

interface Props {
  label: InquiryLabel;
  /** a stop of the keyboard of its own, where it is in no link */
  reachable?: boolean;
}

/** Whether an inquiry is answered, and in a tooltip what that means. */
export function InquiryLabelBadge({ label, reachable }: Props) {
  const { name, tone, meaning } = labels[label];
  const badge = <Badge tone={tone}>{name}</Badge>;
  return (
    <Tooltip text={meaning}>
      {reachable ? (
        <button type="button" className="badge-button" aria-label={`${name}: ${meaning}`}>
          {badge}
        </button>
      ) : (
        badge
      )}
    </Tooltip>
  );
}
