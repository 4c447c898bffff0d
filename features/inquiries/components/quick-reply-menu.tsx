import { Link } from 'react-router';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Menu } from '#ui/menu.tsx';
import type { QuickText } from '../model.ts';

interface Props {
  replies: readonly QuickText[];
  /** where a reply leads to; null once scripts put it into the message */
  hrefOf: ((id: string) => string) | null;
  onChoose: (text: string) => void;
}

/** Puts a text that the seller has written before into the message. */
export function QuickReplyMenu({ replies, hrefOf, onChoose }: Props) {
  if (replies.length === 0)
    return (
      <Link className="link" to={sellerPaths.quickReplies()}>
        Add quick replies
      </Link>
    );
  return (
    <Menu
      buttonClass="link"
      entries={[
        ...replies.map(({ id, name, text }) => ({
          label: name,
          ...(hrefOf ? { href: hrefOf(id) } : { onSelect: () => onChoose(text) }),
        })),
        'line' as const,
        { label: 'Manage quick replies', href: sellerPaths.quickReplies() },
      ]}
    >
      Quick replies
    </Menu>
  );
}
