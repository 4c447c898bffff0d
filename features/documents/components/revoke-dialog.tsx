import { useNavigate } from 'react-router';
import { SHORT_REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { DocumentVersion } from '../registry-model.ts';

/** The form's intent, and the dialog's name in the URL. */
export const REVOKE = 'revoke';

interface Props {
  /** null while nothing is asked */
  document: DocumentVersion | null;
  /** the URL of the page without the dialog */
  page: string;
  answer: ActionData | undefined;
}

/** Asks why a version of a document no longer counts. */
export function RevokeDialog({ document, page, answer }: Props) {
  const navigate = useNavigate();
  const pending = usePendingForm(REVOKE) !== null;
  if (!document) return null;
  const { id, name, version } = document;
  const refused = answer?.intent === REVOKE && !answer.ok;
  return (
    <ActionDialog
      open
      danger
      onClose={() => void navigate(page, { replace: true, preventScrollReset: true })}
      title="Revoke the document"
      text={`Whoever checks ‘${name}’, version ${version}, reads that it was withdrawn and no longer counts. Its file, its hash on the chain and its tokens stay. This cannot be undone.`}
      confirmLabel="Revoke document"
      intent={REVOKE}
      fields={{ id }}
      pending={pending}
      noValidate
      error={refused ? answer.errors?.reason : null}
    >
      {(problem) => (
        <TextArea
          label="Reason"
          name="reason"
          rows={4}
          required
          maxLength={SHORT_REASON_MAX_LENGTH}
          counted
          hint="Administrators alone read it."
          defaultValue={refused ? answer.input?.reason : undefined}
          error={problem}
        />
      )}
    </ActionDialog>
  );
}
