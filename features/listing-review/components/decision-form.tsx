import { Check } from 'lucide-react';
import type { Ref } from 'react';
import { Form } from 'react-router';
import { INTENT } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { TextArea } from '#ui/text-area.tsx';
import type { Decision, ReviewSubject } from '../model.ts';
import { MESSAGE_MAX_LENGTH, reasons } from '../reasons.ts';

interface Props {
  subject: ReviewSubject;
  /** what is looked at after this one */
  next: string | null;
  /** where the form is posted */
  action: string;
  pending: Decision | null;
  errors: Partial<Record<string, string>>;
  /** what was typed before a refusal */
  input: Readonly<Record<string, string>>;
  ref: Ref<HTMLFormElement>;
}

const options = Object.entries(reasons).map(([value, label]) => ({ value, label }));

/** Approves a listing, or sends it back with a reason from the list and words of one's own. */
export function DecisionForm({ subject, next, action, pending, errors, input, ref }: Props) {
  const { record, version } = subject;
  const button = { type: 'submit' as const, name: INTENT };
  return (
    <Form className="decide" method="post" action={action} ref={ref} preventScrollReset>
      <input type="hidden" name="id" value={record.id} />
      <input type="hidden" name="version" value={version} />
      {next && <input type="hidden" name="next" value={next} />}
      <div className="decide-fields">
        <Select
          label="Reason"
          name="reason"
          options={options}
          placeholder="Select a reason"
          defaultValue={input.reason ?? ''}
          error={errors.reason}
        />
        <TextArea
          label="Message to the seller"
          name="message"
          rows={3}
          maxLength={MESSAGE_MAX_LENGTH}
          counted
          defaultValue={input.message ?? ''}
          error={errors.message}
        />
      </div>
      <div className="decide-acts">
        <Button {...button} value="approve" icon={Check} className="btn-approve" busy={pending === 'approve'}>
          Approve
        </Button>
        <Button {...button} value="request_changes" variant="outline" busy={pending === 'request_changes'}>
          Request changes
        </Button>
        <Button
          {...button}
          value="reject"
          variant="outline"
          className="btn-reject"
          busy={pending === 'reject'}
        >
          Reject
        </Button>
        <small>A reason is sent with Request changes and Reject</small>
      </div>
    </Form>
  );
}

/** Stands in the form's place for a listing that no longer waits. */
export function Decided({ outcome }: { outcome: string }) {
  return (
    <div className="decide">
      <Notice title="Nothing to decide here">{outcome}</Notice>
    </div>
  );
}
