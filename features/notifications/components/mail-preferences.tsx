import { Form } from 'react-router';
import { useBusy } from '#features/accounts/components/sign-in-form.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Select } from '#ui/select.tsx';
import { useTimeZone } from '#ui/time-zone.tsx';
import type { NotificationPreferences } from '../model.ts';

const events = [
  { name: 'mailPropertyUpdates', label: 'Changes to watched properties', hint: 'A new price or status' },
  { name: 'mailMessages', label: 'Messages', hint: 'New inquiries and responses' },
  { name: 'mailSavedSearches', label: 'Saved searches', hint: 'New properties that match' },
] as const;

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'}`,
}));

/** Chooses which events are mailed; the site shows all of them anyway. `weeklyReport` is null for those who cannot have it. */
export function MailPreferences({
  preferences,
  weeklyReport,
  errors = {},
}: {
  preferences: NotificationPreferences;
  weeklyReport: boolean | null;
  errors?: Partial<Record<string, string>> | undefined;
}) {
  const busy = useBusy('preferences');
  return (
    <Form method="post" className="grid gap-5" key={JSON.stringify([preferences, weeklyReport])}>
      <IntentField is="preferences" />
      <fieldset className="grid gap-4 border-0 p-0">
        <legend className="flabel mb-3">Email me about</legend>
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
        {weeklyReport !== null && (
          <Checkbox
            name="weeklyReport"
            value="1"
            label="Weekly report"
            hint="The figures of the past week, on Mondays at 8:00 AM"
            defaultChecked={weeklyReport}
          />
        )}
      </fieldset>
      <Select
        label="Daily emails are sent at"
        name="digestHour"
        options={hours}
        defaultValue={String(preferences.digestHour)}
        hint="Less urgent news is combined into one email a day. On this site, you see everything right away."
        error={errors.digestHour}
      />
      <TimeZone chosen={preferences.timeZone} error={errors.timeZone} />
      <div>
        <Button type="submit" variant="outline" busy={busy}>
          Save preferences
        </Button>
      </div>
    </Form>
  );
}

/** The zone that the hour is meant in: the one in use, the browser's, or UTC. */
function TimeZone({ chosen, error }: { chosen: string; error: string | undefined }) {
  const zones = [...new Set([chosen, useTimeZone(), 'UTC'])].filter(Boolean);
  return (
    <Select
      label="Time zone"
      name="timeZone"
      options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      defaultValue={chosen}
      error={error}
    />
  );
}
