import { useEffect, useRef, useState } from 'react';
import { Form, useNavigate, useNavigation } from 'react-router';
import { Button, ButtonLink } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { toast } from '#ui/toast.ts';
import type { DeedAnswer, SaleEvent, SaleView } from '../model.ts';
import { NOTE_LIMIT } from '../rules.ts';
import { type Deed, deedsOf } from './deeds.ts';

interface Props {
  sale: SaleView;
  /** the page itself, which takes the forms */
  page: string;
  /** the deed whose dialog the address opens: before the scripts */
  asked: SaleEvent | null;
  answer: DeedAnswer | undefined;
}

/** The buttons of whoever looks, each with its question. Without scripts the question is an address of the page. */
export function SaleDeeds({ sale, page, asked, answer }: Props) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<SaleEvent | null>(answer?.event ?? asked);
  const told = useRef<DeedAnswer | undefined>(undefined);
  const buttons = deedsOf(sale);
  // What is not yet to be done is offered quietly.
  const turn = sale.next?.who === sale.party;

  useEffect(() => setOpen(asked), [asked]);
  useEffect(() => {
    if (!answer || told.current === answer) return;
    told.current = answer;
    setOpen(answer.event);
    toast({ title: 'Error', text: answer.text, tone: 'bad' });
  }, [answer]);

  if (buttons.length === 0) return null;
  const close = () => {
    setOpen(null);
    if (asked) void navigate(page, { replace: true, preventScrollReset: true });
  };
  return (
    <div className="sale-acts">
      {buttons.map(({ event, deed }) => (
        <ButtonLink
          key={event}
          to={`${page}?do=${event}`}
          variant={turn && deed.look === 'primary' ? 'primary' : 'outline'}
          preventScrollReset
          onClick={(press) => {
            press.preventDefault();
            setOpen(event);
          }}
        >
          {deed.label}
        </ButtonLink>
      ))}
      {buttons.map(({ event, deed }) => (
        <DeedDialog
          key={event}
          event={event}
          deed={deed}
          open={open === event}
          onClose={close}
          page={page}
          answer={answer?.event === event ? answer : undefined}
        />
      ))}
    </div>
  );
}

interface DialogProps {
  event: SaleEvent;
  deed: Deed;
  open: boolean;
  onClose: () => void;
  page: string;
  answer: DeedAnswer | undefined;
}

function DeedDialog({ event, deed, open, onClose, page, answer }: DialogProps) {
  const { formData } = useNavigation();
  const busy = formData?.get('event') === event;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={deed.title}
      text={deed.text}
      locked={busy}
      role={deed.note ? 'dialog' : 'alertdialog'}
    >
      <Form method="post" action={page} className="dialog-body" preventScrollReset>
        <input type="hidden" name="event" value={event} />
        {deed.note ? (
          <TextArea
            label={deed.note.label}
            name="note"
            rows={5}
            required={deed.note.required}
            optional={!deed.note.required}
            maxLength={NOTE_LIMIT}
            counted
            defaultValue={answer?.note}
            error={answer?.text}
          />
        ) : (
          answer && <p className="err">{answer.text}</p>
        )}
        <div className="dialog-acts">
          <Button className="needs-js" variant="outline" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" variant={deed.look === 'danger' ? 'danger' : 'primary'} busy={busy}>
            {deed.confirm}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
