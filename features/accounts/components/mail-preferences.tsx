import { Form } from 'react-router';
import type { Preferences } from '#features/notifications/model.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Select } from '#ui/select.tsx';
import { useBusy } from './sign-in-form.tsx';

const events = [
  { name: 'mailPropertyUpdates', label: 'Changes of watched properties', hint: 'A new price or status' },
  { name: 'mailMessages', label: 'Messages', hint: 'New inquiries and responses' },
  { name: 'mailSavedSearches', label: 'Saved searches', hint: 'New properties that match' },
] as const;

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'} UTC`,
}));

/** Of what somebody is told by mail; on the site they are told in any case. */
export function MailPreferences({
  preferences,
  error,
}: {
  preferences: Preferences;
  error?: string | undefined;
}) {
  const busy = useBusy('preferences');
  return (
    <Form method="post" className="grid gap-5" key={JSON.stringify(preferences)}>
      <input type="hidden" name="form" value="preferences" />
      <fieldset className="grid gap-4 border-0 p-0">
        <legend className="flabel mb-3">Tell me by mail of</legend>
        {events.map(({ name, label, hint }) => (
          <Checkbox
            key={name}
            name={name}
            value="1"
            label={label}
            hint={hint}
            defaultChecked={preferences[name]}
          />
        ))}
      </fieldset>
      <Select
        label="Daily mails are sent at"
        name="digestHour"
        options={hours}
        defaultValue={String(preferences.digestHour)}
        hint="What can wait is put together once a day. On this site you are told of everything at once."
        error={error}
      />
      <div>
        <Button type="submit" variant="outline" busy={busy}>
          Save preferences
        </Button>
      </div>
    </Form>
  );
}
