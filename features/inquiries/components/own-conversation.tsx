import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { MessageSquare } from '#ui/detail-glyphs.ts';

interface Props {
  /** the conversation with the seller; null if there is none */
  inquiryId: string | null;
  seller: { email: string };
}

/** How the buyer of a property reaches its seller when it takes no new inquiries. */
export function OwnConversation({ inquiryId, seller }: Props) {
  if (inquiryId === null)
    return (
      <p className="hint text-center">
        Questions about your purchase? Write to the seller at{' '}
        <a className="link" href={`mailto:${seller.email}`}>
          {seller.email}
        </a>
        .
      </p>
    );
  return (
    <ButtonLink
      to={paths.buyerActivity({ tab: 'inquiries', inquiry: inquiryId })}
      variant="outline"
      size="lg"
      wide
      icon={MessageSquare}
    >
      Message the seller
    </ButtonLink>
  );
}
