import type { ConsoleAccount, ConsoleMessage } from '#gateways/payouts/sandbox/console.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { messageOptions } from './message-options.ts';

/** The sellers' accounts, with what the provider can decide about them. */
export function ConsoleAccounts({ accounts }: { accounts: readonly ConsoleAccount[] }) {
  return (
    <section className="sheet" aria-labelledby="accounts">
      <h2 id="accounts">Accounts of sellers</h2>
      {accounts.length === 0 && <EmptyState title="No accounts." />}
      <ul className="console-list">
        {accounts.map(({ ref, name, email, transfersActive, requirement, balanceCents }) => (
          <li key={ref}>
            <h3>
              {name}, {email}
            </h3>
            <p className="subtle small">{ref}</p>
            <p>
              {transfersActive ? 'Active' : 'Inactive'}
              {requirement && `: ${requirement}`} · {dollarsAndCents(balanceCents)}
            </p>
            <form method="post" className="console-form" aria-label={`Decide about ${ref}`}>
              <IntentField is="account" />
              <input type="hidden" name="account" value={ref} />
              <TextInput label="What is missing (empty if nothing)" name="requirement" maxLength={300} />
              <Select label="Message" name="messages" options={messageOptions} />
              <Button type="submit" variant="outline">
                Decide
              </Button>
            </form>
            {balanceCents > 0 && (
              <form method="post" aria-label={`Pay out ${ref}`}>
                <IntentField is="pay_out" />
                <input type="hidden" name="account" value={ref} />
                <Button type="submit" variant="ghost">
                  Pay the balance out to the seller's bank
                </Button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The messages about payouts and accounts, each of which can be sent again. */
export function ConsoleMessages({ messages }: { messages: readonly ConsoleMessage[] }) {
  return (
    <section className="sheet" aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
      {messages.length === 0 && <EmptyState title="No messages." />}
      <ul className="console-list">
        {messages.map(({ eventId, type, about, deliveredAt, nextAt, error }) => (
          <li key={eventId}>
            <p>{type}</p>
            <p className="subtle small">
              {about} ·{' '}
              {deliveredAt ? (
                <>
                  delivered <LocalTime of={deliveredAt} />
                </>
              ) : nextAt ? (
                <>
                  next attempt <LocalTime of={nextAt} />
                </>
              ) : (
                'held back'
              )}
              {error && ` · ${error}`}
            </p>
            <form method="post" aria-label={`Send ${eventId}`}>
              <IntentField is="send_message" />
              <input type="hidden" name="event" value={eventId} />
              <Button type="submit" variant="ghost" size="sm">
                {deliveredAt ? 'Send again' : 'Send now'}
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}
