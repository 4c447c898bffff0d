import './quick-replies.css';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#ui/panel.tsx';
import type { QuickReply } from '../model.ts';

interface Props {
  replies: readonly QuickReply[];
  /** a suspended seller changes nothing */
  readOnly: boolean;
}

/** The seller's quick replies, each with what changes and deletes it. */
export function QuickReplyList({ replies, readOnly }: Props) {
  if (replies.length === 0)
    return (
      <EmptyState
        title="No quick replies yet"
        text="Write an answer once, and put it into any conversation with a buyer."
        {...(!readOnly && {
          action: (
            <ButtonLink variant="outline" to={sellerPaths.quickReplies({ do: 'add' })}>
              Add your first quick reply
            </ButtonLink>
          ),
        })}
      />
    );
  return (
    <Panel>
      <ul>
        {replies.map(({ id, name, text }) => (
          <li key={id} className="quick-reply">
            <div className="quick-reply-main">
              <h2>{name}</h2>
              <p>{text}</p>
            </div>
            {!readOnly && (
              <div className="quick-reply-acts">
                <ButtonLink
                  to={sellerPaths.quickReplies({ do: 'edit', id })}
                  variant="outline"
                  size="sm"
                  preventScrollReset
                  aria-label={`Edit ${name}`}
                >
                  Edit
                </ButtonLink>
                <ButtonLink
                  to={sellerPaths.quickReplies({ do: 'delete', id })}
                  variant="outline"
                  size="sm"
                  preventScrollReset
                  aria-label={`Delete ${name}`}
                >
                  Delete
                </ButtonLink>
              </div>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
