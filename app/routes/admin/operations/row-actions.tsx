import { Form } from 'react-router';
import { Button, ButtonLink } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { usePendingForm } from '#ui/use-pending.ts';

interface PostProps {
  intent: string;
  fields: Readonly<Record<string, string>>;
  label: string;
  /** what it is about, for screen readers */
  about?: string;
  small?: boolean;
}

/** A form of one button. */
export function PostButton({ intent, fields, label, about, small }: PostProps) {
  const sent = usePendingForm(intent);
  const pending = sent !== null && Object.entries(fields).every(([name, value]) => sent.get(name) === value);
  return (
    <Form method="post" preventScrollReset className="contents">
      <IntentField is={intent} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" variant={small ? 'ghost' : 'outline'} size={small ? 'sm' : 'md'} busy={pending}>
        {label}
        {about && <span className="vh"> {about}</span>}
      </Button>
    </Form>
  );
}

interface Props {
  /** null where nothing can be tried again */
  retry: string | null;
  retryLabel: string;
  id: string;
  about: string;
  /** URL of the dialog; null where nothing is dropped */
  dropHref: string | null;
}

/** What can be done with a row: try again, or drop it. */
export function RowActions({ retry, retryLabel, id, about, dropHref }: Props) {
  return (
    <div className="rowacts">
      {retry && <PostButton intent={retry} fields={{ id }} label={retryLabel} about={about} small />}
      {dropHref && (
        <ButtonLink variant="ghost" size="sm" to={dropHref} preventScrollReset>
          Drop<span className="vh"> {about}</span>
        </ButtonLink>
      )}
    </div>
  );
}
