import { useNavigate } from 'react-router';
import { REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { DrawerSection } from '#ui/drawer.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { DataRequest } from '../data-requests.ts';

interface Person {
  name: string;
  email: string;
}

interface Props {
  person: Person;
  /** hidden fields that say who it is */
  fields: Readonly<Record<string, string>>;
  /** the page's URL without the dialog */
  closeHref: string;
  answer: ActionData | undefined;
}

/** The dialog of a request; nothing when there is none. */
export function DataRequestDialog({ request, ...props }: Props & { request: DataRequest | null }) {
  if (request === null) return null;
  return request === 'export' ? <ExportDialog {...props} /> : <EraseDialog {...props} />;
}

/** Asks why somebody's personal data is exported. */
function ExportDialog({ person, fields, closeHref, answer }: Props) {
  const { onClose, pending, errors, input } = useDialog('export', closeHref, answer);
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={`Export the data of ${person.name}?`}
      text={`You get a file with everything that is kept about ${person.email}, to hand over to them alone. They are notified by email.`}
      confirmLabel="Export data"
      intent="export"
      fields={fields}
      pending={pending}
      noValidate
      error={errors.reason ?? errors.form}
    >
      {() => (
        <>
          <Reason error={errors.reason} typed={input.reason} />
          <Refusal text={errors.form} />
        </>
      )}
    </ActionDialog>
  );
}

/** Asks why a buyer's account is erased, and for their address as the confirmation. */
function EraseDialog({ person, fields, closeHref, answer }: Props) {
  const { onClose, pending, errors, input } = useDialog('erase', closeHref, answer);
  return (
    <ActionDialog
      open
      onClose={onClose}
      danger
      title={`Erase the account of ${person.name}?`}
      text="The name, the address, watched properties, saved searches and notifications are deleted, and every session ends. Purchases and messages to sellers stay, without the name. The buyer is notified by email. This cannot be undone."
      confirmLabel="Erase account permanently"
      intent="erase"
      fields={fields}
      pending={pending}
      noValidate
      error={errors.reason ?? errors.confirmation ?? errors.form}
    >
      {() => (
        <div className="grid gap-4">
          <Reason error={errors.reason} typed={input.reason} />
          <TextInput
            label={`Type ${person.email} to confirm`}
            name="confirmation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            defaultValue={input.confirmation}
            error={errors.confirmation}
          />
          <Refusal text={errors.form} />
        </div>
      )}
    </ActionDialog>
  );
}

interface DataRequestsProps {
  /** of an export that was prepared */
  link: string | null;
  exportHref: string;
  /** without it the account cannot be erased */
  eraseHref?: string;
}

/** The part of a drawer with what a person can ask about their personal data. */
export const DataRequests = ({ link, exportHref, eraseHref }: DataRequestsProps) => (
  <DrawerSection title="Personal data">
    {link && <ExportReady link={link} />}
    <p className="mt-0 mb-3 text-ink-muted text-sm">For requests of the person alone.</p>
    <div className="flex flex-wrap gap-2">
      <ButtonLink variant="outline" size="sm" to={exportHref} preventScrollReset>
        Export data
      </ButtonLink>
      {eraseHref && (
        <ButtonLink variant="outline" size="sm" to={eraseHref} preventScrollReset>
          Erase account
        </ButtonLink>
      )}
    </div>
  </DrawerSection>
);

const ExportReady = ({ link }: { link: string }) => (
  <Notice tone="ok" title="The export is ready">
    <p>
      <a className="link" href={adminPaths.personalData(link)} download>
        Download data
      </a>{' '}
      within ten minutes. After that, export it again.
    </p>
  </Notice>
);

function useDialog(intent: string, closeHref: string, answer: ActionData | undefined) {
  const navigate = useNavigate();
  const refused = answer?.intent === intent && !answer.ok ? answer : null;
  return {
    onClose: () => void navigate(closeHref, { replace: true, preventScrollReset: true }),
    pending: usePendingForm(intent) !== null,
    errors: refused?.errors ?? {},
    input: refused?.input ?? {},
  };
}

const Refusal = ({ text }: { text: string | undefined }) =>
  text ? (
    <p className="err" role="alert">
      {text}
    </p>
  ) : null;

const Reason = ({ error, typed }: { error: string | undefined; typed: string | undefined }) => (
  <TextArea
    label="Reason"
    name="reason"
    rows={3}
    required
    maxLength={REASON_MAX_LENGTH}
    counted
    hint="For the record, such as when and how they asked."
    defaultValue={typed}
    error={error}
  />
);
