import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { SaleFileFields } from '#features/documents/components/sale-file-fields.tsx';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { toast } from '#ui/toast.ts';
import { useLastAnswer } from '#ui/use-last-answer.ts';
import { usePendingForm } from '#ui/use-pending.ts';
import type { SaleEvent, SaleView } from '../model.ts';
import { NOTE_MAX_LENGTH } from '../rules.ts';
import { availableActions, type SaleAction } from './sale-actions.ts';

interface Props {
  sale: SaleView;
  /** the URL of the sale page, which handles the forms */
  page: string;
  /** the action whose dialog the URL opens, for browsers without JavaScript */
  openDialog: SaleEvent | null;
  answer: ActionData | undefined;
}

/** The viewer's action buttons with their confirmation dialogs. Without JavaScript a dialog is opened by a link. */
export function SaleActionButtons({ sale, page, openDialog, answer }: Props) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<string | null>(answer?.intent ?? openDialog);
  const [inUrl, setInUrl] = useState(openDialog);
  if (inUrl !== openDialog) {
    setInUrl(openDialog);
    // A form leaves the URL that has opened its dialog, and what was wrong with it is said there. Another dialog may have been
    // opened by hand while the page was read.
    if (openDialog || (open === inUrl && answer?.intent !== open)) setOpen(openDialog);
  }
  const lastHandled = useRef<ActionData | undefined>(undefined);
  const buttons = availableActions(sale);
  // An action that is offered again later must not come with its dialog open.
  if (open !== null && !buttons.some(({ event }) => event === open)) setOpen(null);
  // Only when it is the viewer's turn does the main action stand out.
  const isViewersTurn = sale.next?.who === sale.party;

  useEffect(() => {
    if (!answer || lastHandled.current === answer) return;
    lastHandled.current = answer;
    setOpen(answer.intent);
    if (answer.toast) toast(answer.toast);
  }, [answer]);

  if (buttons.length === 0) return null;
  const close = () => {
    setOpen(null);
    if (openDialog) void navigate(page, { replace: true, preventScrollReset: true });
  };
  return (
    <div className="sale-acts">
      {buttons.map(({ event, action }) => (
        <ButtonLink
          key={event}
          to={`${page}?do=${event}`}
          variant={
            action.quiet ? 'link' : isViewersTurn && action.variant === 'primary' ? 'primary' : 'outline'
          }
          preventScrollReset
          onClick={(press) => {
            press.preventDefault();
            setOpen(event);
          }}
        >
          {action.label}
        </ButtonLink>
      ))}
      {buttons.map(({ event, action }) => (
        <SaleActionDialog
          key={event}
          event={event}
          action={action}
          open={open === event}
          onClose={close}
          page={page}
          answer={answer?.intent === event ? answer : undefined}
        />
      ))}
    </div>
  );
}

interface DialogProps {
  event: SaleEvent;
  action: SaleAction;
  open: boolean;
  onClose: () => void;
  page: string;
  answer: ActionData | undefined;
}

function SaleActionDialog({ event, action, open, onClose, page, answer: latest }: DialogProps) {
  const pending = usePendingForm(event) !== null;
  const [answer, forget] = useLastAnswer(latest);
  const { note, files } = action;
  const fieldError = Object.values(answer?.errors ?? {})[0];
  return (
    <ActionDialog
      open={open}
      onClose={() => {
        forget();
        onClose();
      }}
      title={action.title}
      text={action.text}
      confirmLabel={action.confirm}
      danger={action.variant === 'danger'}
      intent={event}
      action={page}
      pending={pending}
      noValidate
      {...(files && { encType: 'multipart/form-data' as const })}
      error={fieldError ?? answer?.toast?.text}
    >
      {files
        ? (error) => (
            <>
              <SaleFileFields errors={answer?.errors} />
              {error && !fieldError && (
                <p className="err" role="alert">
                  {error}
                </p>
              )}
            </>
          )
        : note &&
          ((error) => (
            <TextArea
              label={note.label}
              name="note"
              rows={5}
              required={note.required}
              optional={!note.required}
              maxLength={NOTE_MAX_LENGTH}
              counted
              defaultValue={answer?.input?.note}
              error={error}
            />
          ))}
    </ActionDialog>
  );
}
