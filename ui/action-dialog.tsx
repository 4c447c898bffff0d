import { type FormEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Form } from 'react-router';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import { IntentField } from './intent-field.tsx';

interface ActionDialogProps extends Pick<DialogProps, 'open' | 'onClose' | 'title' | 'text' | 'wide'> {
  /** Names the action ('Delete Seller'), never 'OK'. */
  confirmLabel: string;
  /** null leaves the close button as the only way out */
  cancelLabel?: string | null;
  /** Destructive: uses the danger button. The title or text should name what is affected. */
  danger?: boolean;
  intent: string;
  /** the URL that handles the form; the page's own by default */
  action?: string | undefined;
  /** of a form with files */
  encType?: 'multipart/form-data';
  /** hidden fields of the form, besides its intent */
  fields?: Readonly<Record<string, string>>;
  /** While true the dialog cannot be closed or sent again. */
  pending: boolean;
  /** A required text is still missing: the button says so, and stays pressable for the browser's message. */
  blank?: boolean;
  /** The server, not the browser, says which field is wrong. */
  noValidate?: boolean;
  /** why the action was refused */
  error: string | null | undefined;
  /** Instead of posting the form. */
  onConfirm?: (form: FormData) => void;
  /** Fields; a function shows the error at the field that it concerns, else it is shown below them. */
  children?: ReactNode | ((error: string | undefined) => ReactNode);
}

/**
 * Asks for a decision and sends it as a form. Opened by the URL (`?do=`) it works before and without JavaScript: the
 * server renders it open. Without fields it is an alert whose Cancel button comes first and has the focus.
 */
export function ActionDialog({
  open,
  onClose,
  title,
  text,
  wide,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger,
  intent,
  action,
  encType,
  fields = {},
  pending,
  blank,
  noValidate,
  error,
  onConfirm,
  children,
}: ActionDialogProps) {
  const placesError = typeof children === 'function';
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (error && !pending) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error, pending]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    // A dialog may stand inside another form, which this is none of.
    event.stopPropagation();
    if (pending || onConfirm) event.preventDefault();
    if (!pending) onConfirm?.(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      text={text}
      wide={wide}
      locked={pending}
      role={children ? 'dialog' : 'alertdialog'}
    >
      <Form
        ref={form}
        method="post"
        action={action}
        {...(encType && { encType })}
        className={children ? 'dialog-body' : undefined}
        onSubmit={send}
        preventScrollReset
        noValidate={noValidate}
      >
        <IntentField is={intent} />
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {placesError ? children(error ?? undefined) : children}
        {error && !placesError && (
          <p className="err" role="alert">
            {error}
          </p>
        )}
        <div className="dialog-acts">
          {cancelLabel !== null && (
            <Button className="needs-js" variant="outline" onClick={onClose} disabled={pending}>
              {cancelLabel}
            </Button>
          )}
          <Button
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            busy={pending}
            className={blank ? 'needs-text' : undefined}
            aria-disabled={blank || undefined}
          >
            {confirmLabel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
