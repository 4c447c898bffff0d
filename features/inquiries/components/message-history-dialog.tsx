import './oversight.css';
import type { ReactNode } from 'react';
import { ButtonLink } from '#ui/button.tsx';
import { classNames } from '#ui/class-names.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { senderLabel } from '../display.ts';
import type { HistoryMessage, MessageHistory } from '../oversight-model.ts';
import { FileLink } from './file-link.tsx';
import { MessageText } from './message-text.tsx';
import { MessageTime } from './message-time.tsx';

interface Props {
  /** null when it could not be loaded, undefined while nothing is open */
  history: MessageHistory | null | undefined;
  onClose: () => void;
  /** the URL of the same dialog with an older page of messages; null leads to the newest */
  pageHref: (before: string | null) => string;
  /** an older page is shown */
  older: boolean;
  /** buttons at the bottom */
  actions?: ReactNode;
}

/** The messages of one conversation, which administrators read but do not write. */
export function MessageHistoryDialog({ history, onClose, pageHref, older, actions }: Props) {
  const retry = useRetry();
  return (
    <Dialog
      open={history !== undefined}
      onClose={onClose}
      title="Message History"
      text={history ? aboutText(history) : undefined}
      wide
      actions={actions}
    >
      {history === null && <ErrorState title="The messages could not be loaded." retry={retry} />}
      {history && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
          <section className="history-first" aria-label="Initial message" tabIndex={0}>
            <b>
              {senderLabel('buyer', history.seller)}: {history.buyer.name}
            </b>
            {history.inquiry.text}
            <br />
            <MessageTime of={history.inquiry.at} />
          </section>
          <div
            className="history-box msgs"
            role="log"
            aria-label="Messages"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
            tabIndex={0}
          >
            <div className="msgs-in">
              {history.before && <PageLink to={pageHref(history.before)} label="Show older messages" />}
              {history.messages.length === 0 && <p className="none">No messages found</p>}
              {history.messages.map((message) => (
                <Bubble
                  key={message.id}
                  message={message}
                  seller={history.seller}
                  opensFiles={history.reported}
                />
              ))}
              {older && <PageLink to={pageHref(null)} label="Show newest messages" />}
            </div>
          </div>
        </>
      )}
    </Dialog>
  );
}

const aboutText = ({ property, buyer, seller }: MessageHistory) =>
  `${property.address}, ${property.town}. ${buyer.name} (${buyer.email}) and ${seller || 'Agent'}. Opening this was recorded.`;

const PageLink = ({ to, label }: { to: string; label: string }) => (
  <div className="msgs-older">
    <ButtonLink to={to} variant="outline" size="sm" preventScrollReset>
      {label}
    </ButtonLink>
  </div>
);

/** URLs stay plain text: what people send each other may be meant to be clicked. */
function Bubble({
  message,
  seller,
  opensFiles,
}: {
  message: HistoryMessage;
  seller: string;
  opensFiles: boolean;
}) {
  return (
    <div className={classNames('msg', message.sender === 'seller' && 'msg-me')}>
      <MessageText text={message.text} links={false} />
      {message.file && opensFiles && <FileLink file={message.file} />}
      {message.file && !opensFiles && (
        <p className="hint">{message.file.name} can be opened once the conversation is reported.</p>
      )}
      <p className="by">
        {senderLabel(message.sender, seller)} · <MessageTime of={message.at} />
      </p>
    </div>
  );
}
